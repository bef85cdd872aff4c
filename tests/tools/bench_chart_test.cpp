#include "bench_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshmul::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(GnuplotScript, draws_bars_with_intervals_beside_their_bound) {
  const BarChart chart{"a product",
                       "share of the bound",
                       "products alone",
                       {{"ring", {0.75, 0.5, 1}}, {"planner's choice", {1.25, 1.125, 1.5}}}};
  EXPECT_EQ(gnuplot_script({chart}, PlotFormat::kSvg, "out.svg"),
            "set terminal svg size 960,168 background rgb 'white' font 'sans,10' noenhanced\n"
            "set output 'out.svg'\n"
            "set encoding utf8\n"
            "set linetype 1 linecolor rgb '#000000' pointsize 0.5\n"
            "set linetype 2 linecolor rgb '#0072B2' pointsize 0.5\n"
            "set linetype 3 linecolor rgb '#D55E00' pointsize 0.5\n"
            "set linetype 4 linecolor rgb '#009E73' pointsize 0.5\n"
            "set linetype 5 linecolor rgb '#CC79A7' pointsize 0.5\n"
            "set linetype 6 linecolor rgb '#E69F00' pointsize 0.5\n"
            "set linetype 7 linecolor rgb '#56B4E9' pointsize 0.5\n"
            "set multiplot layout 1,1\n"
            "set style fill solid\n"
            "set grid xtics linetype 1 linecolor rgb '#dddddd'\n"
            "set key outside right top reverse Left\n"
            "set ytics scale 0\n"
            "$chart0 << EOD\n"
            "0.75 0.5 1\n"
            "1.25 1.125 1.5\n"
            "EOD\n"
            "$bound0 << EOD\n1 -0.5\n1 1.5\nEOD\n"
            "set title 'a product'\n"
            "set xlabel 'share of the bound'\n"
            "set xrange [0:1.7249999999999999]\n"
            "set yrange [1.5:-0.5]\n"
            "set ytics ('ring' 0, 'planner''s choice' 1)\n"
            "plot $chart0 using 1:0:(0):1:($0-0.35):($0+0.35) with boxxyerror linetype 7 title 'median', \\\n"
            "  '' using 1:0:2:3 with xerrorbars linetype 1 pointsize 0 title 'interval', \\\n"
            "  '' using (1.7249999999999999):0:(sprintf('%.3f', $1)) with labels right offset -1,0 notitle, \\\n"
            "  $bound0 with lines linetype 3 linewidth 2 title 'products alone'\n"
            "unset multiplot\n");
}

TEST(GnuplotScript, draws_lines_over_the_logarithm_of_bytes) {
  const LineChart::Line ring{"ring", {{1024, {2e9, 1e9, 3e9}}, {4096, {4e9, 3.5e9, 5e9}}}};
  const LineChart::Line copies{"copies alone", {{1024, {8e9, 7e9, 9e9}}}};
  const std::string script = gnuplot_script(std::vector<LineChart>{{"AllGather",
                                                                    "bytes of a rank",
                                                                    {{1024, "1 KiB"}, {4096, "4 KiB"}},
                                                                    "bytes per second",
                                                                    "B/s",
                                                                    {ring, copies}}},
                                            PlotFormat::kPng, "out.png");
  EXPECT_THAT(script, HasSubstr("set terminal pngcairo size 960,400 "));
  EXPECT_THAT(script, HasSubstr("set logscale x 2\nset logscale y 10\n"));
  EXPECT_THAT(script, HasSubstr("$chart0line0 << EOD\n"
                                "1024 2000000000 1000000000 3000000000\n"
                                "4096 4000000000 3500000000 5000000000\n"
                                "EOD\n"
                                "$chart0line1 << EOD\n"
                                "1024 8000000000 7000000000 9000000000\n"
                                "EOD\n"));
  EXPECT_THAT(script, HasSubstr("set title 'AllGather'\n"
                                "set xlabel 'bytes of a rank'\n"
                                "set xtics ('1 KiB' 1024, '4 KiB' 4096)\n"
                                "set ylabel 'bytes per second'\n"
                                "set format y '%.0s %c'.'B/s'\n"
                                "plot $chart0line0 using 1:2:3:4 with yerrorlines linetype 1 title 'ring', \\\n"
                                "  $chart0line1 using 1:2:3:4 with yerrorlines linetype 2 title 'copies alone'\n"));
}

TEST(GnuplotScript, draws_charts_one_below_the_other) {
  const BarChart small{"small", "", "", {{"a", {1, 1, 1}}}};
  const BarChart large{"large", "", "", {{"a", {1, 1, 1}}, {"b", {1, 1, 1}}, {"c", {1, 1, 1}}}};
  const std::string script = gnuplot_script(std::vector{small, large}, PlotFormat::kPdf, "out.pdf");
  EXPECT_THAT(script,
              HasSubstr("set terminal pdfcairo size 10.00in,4.00in "));  // two as high as the larger: 2 * 192 pixels
  EXPECT_THAT(script, HasSubstr("set multiplot layout 2,1\n"));
  EXPECT_THAT(script, HasSubstr("$chart1 << EOD\n"));
}

TEST(GnuplotScript, holds_texts_that_are_no_commands) {
  const BarChart chart{"it's `touch a` @b {c}\nsystem 'touch d'\n", "", "", {{"EOD\n\"e", {1, 1, 1}}}};
  const std::string script = gnuplot_script({chart}, PlotFormat::kSvg, "a'b.svg");
  EXPECT_THAT(script, HasSubstr("set output 'a''b.svg'\n"));
  EXPECT_THAT(script, HasSubstr("set title 'it''s `touch a` @b {c}?system ''touch d''?'\n"));
  EXPECT_THAT(script, HasSubstr("set ytics ('EOD?\"e' 0)\n"));
  EXPECT_THAT(script, Not(HasSubstr("\nsystem")));
}

}  // namespace
}  // namespace meshmul::cli
