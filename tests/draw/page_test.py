#!/usr/bin/python3
"""Opens the pages in headless Chromium, from disk, and uses every control by mouse and by keyboard.

page_test.py WRITE_PAGES CHROMEDRIVER [--screenshots FOLDER]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

ALL_PAGES = ["small", "large", "switch", "wide", "program", "schedule"]


def start_browser():
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        self.looks("light", 1280)

    def tearDown(self):
        self.assertEqual([], self.browser.get_log("browser"), "the console is silent")

    def looks(self, theme, width, height=900):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [{"name": "prefers-color-scheme", "value": theme}]})

    def open(self, name):
        self.browser.get((PAGES / f"{name}.html").as_uri())
        self.wait(lambda: self.js("return document.documentElement.dataset.ready") == "true")

    def wait(self, condition):
        WebDriverWait(self.browser, 20).until(lambda _: condition())

    def js(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def data(self):
        return json.loads(self.js("return document.getElementById('data').textContent"))

    def view(self):
        box = self.find("#timeline-view")
        return float(box.get_attribute("data-from")), float(box.get_attribute("data-to"))

    def canvas_colors(self, selector):
        """How many different colors a canvas shows."""
        return self.js("""
            const canvas = document.querySelector(arguments[0]);
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            return new Set(new Uint32Array(pixels.buffer)).size;""", selector)


class EveryPage(PageTest):
    def test_each_opens_from_disk_and_nothing_is_wider_than_the_window(self):
        for name in ALL_PAGES:
            for width in [1280, 360, 320]:
                with self.subTest(page=name, width=width):
                    self.looks("light", width)
                    self.open(name)
                    self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width)

    def test_a_page_loads_nothing(self):
        for name in ALL_PAGES:
            self.open(name)
            self.assertEqual([], self.js("return performance.getEntriesByType('resource').map(entry => entry.name)"))

    def test_the_policy_lets_no_other_script_run(self):
        self.open("small")
        self.js("""
            const script = document.createElement('script');
            script.textContent = 'window.broken = true';
            document.body.append(script);""")
        self.assertIsNone(self.js("return window.broken"))
        refused = self.browser.get_log("browser")
        self.assertEqual(1, len(refused))
        self.assertIn("Content Security Policy", refused[0]["message"])

    def test_parts_without_data_are_hidden_and_so_are_their_links(self):
        self.open("program")
        shown = [link.text for link in self.all("nav a") if link.is_displayed()]
        self.assertEqual(["Summary", "Arrays", "Plan"], shown)
        self.open("schedule")
        shown = [link.text for link in self.all("nav a") if link.is_displayed()]
        self.assertEqual(["Summary", "Arrays"], shown)

    def test_the_page_of_64_ranks_is_small_and_quick(self):
        self.assertLess((PAGES / "large.html").stat().st_size, 3_000_000)
        self.open("large")
        self.assertEqual(64, len(self.all("#mesh button")))

    def test_tab_reaches_every_control_and_leaves_the_page(self):
        self.open("small")
        expected = self.js("""
            return [...document.querySelectorAll('a[href], button, input, select, [tabindex="0"]')]
                .filter(part => part.tabIndex === 0 && part.checkVisibility()).length;""")
        visited = set()
        self.js("document.activeElement.blur()")
        for _ in range(expected):
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            visited.add(self.js("""
                const all = [...document.querySelectorAll('*')];
                return all.indexOf(document.activeElement);"""))
        self.assertEqual(expected, len(visited))
        outline = self.js("return getComputedStyle(document.activeElement).outlineWidth")
        self.assertEqual("3px", outline, "focus can be seen")

    def test_paper_has_tables_and_pictures_and_no_controls(self):
        self.open("small")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        for selector in [".controls", "#timeline", "#animation", "nav", "#mesh"]:
            self.assertFalse(self.find(selector).is_displayed(), selector)
        for selector in ["#steps svg", "#plan-tables table", "#time-tables table"]:
            self.assertTrue(self.find(selector).is_displayed(), selector)


class Numbers(PageTest):
    def test_the_summary_is_that_of_the_plan(self):
        self.open("small")
        self.assertIn("A[I=512_X, J=1024_Y]", self.text("#statement"))
        self.assertIn("mesh X=2,Y=2 on v5p", self.text("#sentences"))

    def test_tables_have_a_row_for_each_step_and_loser(self):
        self.open("small")
        data = self.data()
        tables = self.all("#plan-tables table")
        self.assertEqual(len(data["planTables"]), len(tables))
        for table, expected in zip(tables, data["planTables"]):
            rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]
            self.assertEqual(expected["rows"], rows)

    def test_predicted_and_measured_stand_side_by_side(self):
        self.open("small")
        self.assertIn("1.250", self.text("#time-tables"))  # the sample runs a quarter slower


class Pictures(PageTest):
    def test_every_step_shows_its_arrays_before_and_after(self):
        self.open("small")
        steps = self.data()["steps"]
        self.assertEqual([f"{step['title']}" for step in steps], [title.text for title in self.all("#steps h3")])
        self.assertEqual(sum(len(step["before"]) + len(step["after"]) for step in steps), len(self.all("#steps svg")))

    def test_partial_sums_are_hatched(self):
        self.open("small")
        partial = [array for array in self.data()["arrays"] if array["partial"]]
        self.assertTrue(partial)
        self.assertTrue(self.all(".hatch"))

    def test_pointing_at_a_rank_shows_its_blocks(self):
        self.open("small")
        before = self.text("#holdings")
        self.assertIn("rank 0 (X=0, Y=0) holds", before)
        self.assertIn("A[0:256, 0:512]", before)
        ActionChains(self.browser).move_to_element(self.all("#mesh button")[3]).perform()
        self.assertIn("rank 3 (X=1, Y=1) holds", self.text("#holdings"))
        self.assertIn("A[256:512, 512:1024]", self.text("#holdings"))

    def test_arrow_keys_go_from_rank_to_rank(self):
        self.open("small")
        self.js("document.querySelector('#mesh button').focus()")
        for key, rank in [(Keys.ARROW_RIGHT, 1), (Keys.ARROW_DOWN, 3), (Keys.ARROW_LEFT, 2), (Keys.ARROW_LEFT, 2), (Keys.ARROW_UP, 0)]:
            ActionChains(self.browser).send_keys(key).perform()
            self.assertIn(f"rank {rank} (", self.text("#holdings"))

    def test_a_mesh_sixteen_ranks_wide_is_shown_whole(self):
        for width in [1280, 1024]:
            self.looks("light", width)
            self.open("wide")
            shown, room = self.js("const side = document.querySelector('.mesh-side'); return [side.scrollWidth, side.clientWidth]")
            self.assertLessEqual(shown, room)

    def test_uneven_blocks_keep_their_sizes(self):
        self.open("switch")
        widths = [(block["cuts"], block["sizes"]) for block in self.data()["arrays"] if block["sizes"] == [300, 100]]
        self.assertIn([0, 38, 38, 76, 76, 114, 114, 152, 152, 190, 190, 228, 228, 266, 266, 300], [cuts[0] for cuts, _ in widths])


class Timeline(PageTest):
    def setUp(self):
        super().setUp()
        self.open("small")
        self.js("document.getElementById('timeline').scrollIntoView()")
        self.whole = self.view()

    def press(self, keys):
        self.find("#timeline-view").send_keys(keys)

    def test_the_canvas_shows_something(self):
        self.wait(lambda: self.canvas_colors("#timeline-canvas") > 5)

    def test_buttons_zoom_and_move(self):
        self.find("#zoom-in").click()
        low, high = self.view()
        self.assertAlmostEqual((self.whole[1] - self.whole[0]) / 2, high - low, delta=1)
        self.find("#pan-right").click()
        self.assertGreater(self.view()[0], low)
        self.find("#pan-left").click()
        self.assertAlmostEqual(low, self.view()[0], delta=1)
        self.find("#zoom-out").click()
        self.assertEqual(self.whole, self.view())
        self.find("#zoom-in").click()
        self.find("#fit").click()
        self.assertEqual(self.whole, self.view())

    def test_keys_do_the_same(self):
        self.press("+")
        low, high = self.view()
        self.assertLess(high - low, self.whole[1])
        self.press(Keys.ARROW_RIGHT)
        self.assertGreater(self.view()[0], low)
        self.press(Keys.ARROW_LEFT)
        self.assertAlmostEqual(low, self.view()[0], delta=1)
        self.press("-")
        self.press("=")
        self.press("0")
        self.assertEqual(self.whole, self.view())

    def test_the_wheel_with_ctrl_zooms_where_it_points_and_without_it_scrolls(self):
        canvas = self.find("#timeline-canvas")
        wheel = "arguments[0].dispatchEvent(new WheelEvent('wheel', {deltaY: -300, ctrlKey: arguments[1], cancelable: true, clientX: 640, clientY: 300}))"
        self.js(wheel, canvas, True)
        low, high = self.view()
        self.assertLess(high - low, self.whole[1] / 2)
        self.js(wheel, canvas, False)
        self.assertEqual((low, high), self.view())

    def test_dragging_moves(self):
        self.find("#zoom-in").click()
        low, _ = self.view()
        canvas = self.find("#timeline-canvas")
        ActionChains(self.browser).move_to_element(canvas).click_and_hold().move_by_offset(-120, 0).release().perform()
        self.assertGreater(self.view()[0], low)
        self.assertEqual("", self.text("#op-details"), "a drag is no click")

    def test_n_and_p_go_through_the_ops_of_a_lane(self):
        self.press("n")
        first = self.text("#op-details")
        self.assertIn("rank 0 (X=0, Y=0), lane", first)
        self.assertIn("predicted:", first)
        self.assertIn("measured:", first)
        self.press("n")
        self.assertNotEqual(first, self.text("#op-details"))
        self.press("p")
        self.assertEqual(first, self.text("#op-details"))
        self.find("#next-op").click()
        self.assertNotEqual(first, self.text("#op-details"))
        self.find("#previous-op").click()
        self.assertEqual(first, self.text("#op-details"))
        self.press(Keys.ESCAPE)
        self.assertEqual("", self.text("#op-details"))

    def test_w_goes_to_what_a_wait_waited_for(self):
        for _ in range(50):
            self.press("n")
            details = self.text("#op-details")
            if "passes by" in details:
                break
        self.assertIn("wait ", details)
        cause = details.split("passes by rank")[1].split(": ", 1)[1]
        self.press("w")
        self.assertTrue(self.text("#op-details").startswith(cause))
        self.find("#cause").click()

    def test_numbers_of_an_op_are_those_of_the_timeline(self):
        self.press("n")
        data = self.data()
        lane = next(lane for lane in data["lanes"] if lane["ops"])
        words = [data["words"][number] for number in lane["ops"][1:1 + lane["ops"][0]]]
        details = self.text("#op-details")
        self.assertTrue(details.startswith(words[0]), details)
        line = lane["line"] if isinstance(lane["line"], int) else lane["line"][0]
        self.assertIn(f"line {line},", details)

    def test_pointing_shows_a_tip_and_a_click_keeps_it(self):
        self.press("n")  # brings an op into view; the canvas tells where
        x, y = self.js("""
            const box = document.getElementById('timeline-canvas').getBoundingClientRect();
            const labels = box.width < 600 ? 84 : 150;
            return [labels + (box.width - labels) * 0.5 - box.width / 2, 22 + 8 - box.height / 2];""")
        canvas = self.find("#timeline-canvas")
        shown = False
        for dx in range(0, 400, 7):
            ActionChains(self.browser).move_to_element_with_offset(canvas, int(x) - 200 + dx, int(y)).perform()
            if self.find("#tip").is_displayed():
                shown = True
                break
        self.assertTrue(shown)
        tip = self.text("#tip")
        self.assertIn("line ", tip)
        ActionChains(self.browser).click().perform()
        self.assertEqual(tip, self.text("#op-details"))

    def test_path_and_arrows_can_be_switched(self):
        def picture():
            time.sleep(0.1)
            return self.js("return document.getElementById('timeline-canvas').toDataURL()")
        plain = picture()
        self.find("#show-path").click()
        self.wait(lambda: picture() != plain)
        self.find("#show-arrows").send_keys(Keys.SPACE)
        self.assertTrue(self.find("#show-arrows").is_selected())
        without_path = picture()
        self.find("#show-arrows").click()
        self.wait(lambda: picture() != without_path)


class Animation(PageTest):
    def setUp(self):
        super().setUp()
        self.open("small")
        self.js("document.getElementById('animation').scrollIntoView()")

    def now(self):
        return int(self.find("#time").get_attribute("value"))

    def test_it_stands_still_until_it_is_played(self):
        time.sleep(0.2)
        self.assertEqual(0, self.now())
        self.assertTrue(self.text("#animation-text").startswith("0 s of"))

    def test_play_and_pause(self):
        Select(self.find("#speed")).select_by_value("4")
        play = self.find("#play")
        play.click()
        self.assertEqual("Pause", play.text)
        self.wait(lambda: self.now() > 0)
        play.send_keys(Keys.SPACE)
        self.assertEqual("Play", play.text)
        at = self.now()
        time.sleep(0.2)
        self.assertEqual(at, self.now())

    def test_it_ends_with_everything_moved(self):
        Select(self.find("#speed")).select_by_value("4")
        self.find("#play").click()
        self.wait(lambda: self.find("#play").text == "Play")
        self.assertEqual(1000, self.now())
        text = self.text("#animation-text")
        self.assertIn(": 0 under way", text)
        transfers = sum(1 for lane in self.data()["lanes"] for word in self.first_words(lane) if word in ("put", "get"))
        self.assertIn(f"{transfers} of {transfers} transfers", text)

    def first_words(self, lane):
        words, at = self.data()["words"], 0
        while at < len(lane["ops"]):
            word = words[lane["ops"][at + 1]]
            yield word
            at += lane["ops"][at] + (4 if word in ("put", "get") else 2)

    def test_steps_go_from_event_to_event_and_back(self):
        self.find("#step-on").click()
        after = self.text("#animation-text")
        self.find("#step-on").click()
        self.assertNotEqual(after, self.text("#animation-text"))
        self.find("#step-back").click()
        self.assertEqual(after, self.text("#animation-text"))

    def test_the_slider_sets_the_time_by_key(self):
        slider = self.find("#time")
        slider.send_keys(Keys.END)
        self.assertEqual(1000, self.now())
        slider.send_keys(Keys.ARROW_LEFT)
        self.assertEqual(999, self.now())
        self.assertIn("us", slider.get_attribute("aria-valuetext"))

    def test_either_timeline_can_be_shown(self):
        predicted = self.text("#animation-text")
        Select(self.find("#which")).select_by_visible_text("measured")
        self.assertNotEqual(predicted, self.text("#animation-text"))

    def test_ways_round_a_row_stay_apart_from_those_of_the_next(self):
        self.open("wide")
        self.js("document.getElementById('animation').scrollIntoView()")
        everywhere, between = self.js("""
            const canvas = document.getElementById('animation-canvas');
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            const colors = new Uint32Array(pixels.buffer);
            const middle = Math.round(canvas.height / 2) * canvas.width;
            return [new Set(colors).size, new Set(colors.slice(middle, middle + canvas.width)).size];""")
        self.assertGreater(everywhere, 5)
        self.assertEqual(1, between, "nothing is drawn halfway between two rows")

    def test_a_switch_stands_between_ranks(self):
        self.open("switch")
        self.js("document.getElementById('animation').scrollIntoView()")
        for _ in range(3):
            self.find("#step-on").click()
        self.assertGreater(self.canvas_colors("#animation-canvas"), 5)


class Looks(PageTest):
    def test_light_and_dark_differ(self):
        self.open("small")
        light = self.js("return getComputedStyle(document.body).backgroundColor")
        self.looks("dark", 1280)
        self.assertNotEqual(light, self.js("return getComputedStyle(document.body).backgroundColor"))

    def test_text_has_contrast(self):
        for theme in ["light", "dark"]:
            self.looks(theme, 1280)
            self.open("small")
            for pair in [("text", "back"), ("soft", "back"), ("accent", "back"), ("text", "panel"), ("on-kind", "product"), ("on-wait", "wait")]:
                with self.subTest(theme=theme, pair=pair):
                    self.assertGreaterEqual(self.contrast(*pair), 4.5)

    def contrast(self, *names):
        light = []
        for name in names:
            value = self.js("return getComputedStyle(document.documentElement).getPropertyValue('--' + arguments[0]).trim()", name)
            parts = [int(value[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
            light.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
        return (max(light) + 0.05) / (min(light) + 0.05)

    def test_screenshots_are_taken_of_what_people_see(self):
        if SCREENSHOTS is None:
            return
        for name in ALL_PAGES:
            for theme in ["light", "dark"]:
                for width in [360, 1280]:
                    self.looks(theme, width)
                    self.open(name)
                    time.sleep(0.3)
                    height = self.js("return document.documentElement.scrollHeight")
                    self.looks(theme, width, min(height, 8000))
                    time.sleep(0.3)
                    self.browser.save_screenshot(str(SCREENSHOTS / f"{name}-{width}-{theme}.png"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("write_pages")
    parser.add_argument("chromedriver")
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments, rest = parser.parse_known_args()
    CHROMEDRIVER = arguments.chromedriver
    SCREENSHOTS = arguments.screenshots
    if SCREENSHOTS is not None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        PAGES = pathlib.Path(folder)
        subprocess.run([arguments.write_pages, folder], check=True)
        unittest.main(argv=[sys.argv[0], *rest])
