// Draws the page, part by part; parts without data stay hidden, and so do the links to them.

byId('statement').textContent = data.title;
byId('sentences').append(...data.sentences.map((sentence) => element('li', {}, sentence)));
showPictures();
showTables('plan', 'plan-tables', data.planTables);
showTimeline();
showAnimation();
showTables('numbers', 'time-tables', data.timeTables);
for (const link of document.querySelectorAll('nav a')) link.hidden = document.querySelector(link.getAttribute('href')).hidden;
document.documentElement.dataset.ready = 'true';
