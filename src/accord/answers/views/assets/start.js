/* The viewer, last part: mounts views in the sections of the page. */

accordViewer.parts = {
  spans: accordViewer.SpansView,
  items: accordViewer.ItemsView,
  texts: accordViewer.TextsView,
};

/* Shows data in an element. Its static markup is kept for printing. */
accordViewer.mount = async function mount(element, data) {
  if (element.classList.contains('av-mounted')) return null;
  element.classList.add('av-mounted');
  const live = accordViewer.el('div', {class: 'av-live'});
  element.append(live);
  const view = await accordViewer.parts[data.kind].mount(live, data);
  live.classList.add('av-ready');
  return view;
};

/* Mounts each section of a page when it is about to scroll into view. */
accordViewer.start = function start() {
  const sections = document.querySelectorAll('.av-view:not(.av-mounted)');
  const queue = [];
  let busy = false;
  const work = async () => {
    if (busy) return;
    busy = true;
    while (queue.length) {
      const section = queue.shift();
      await accordViewer.pause();
      try {
        const data = JSON.parse(section.querySelector('.av-data').textContent);
        await accordViewer.pause();
        await accordViewer.mount(section, data);
      } catch (error) {
        console.error(error); // go on with the other sections
      }
    }
    busy = false;
  };
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        watcher.unobserve(entry.target);
        queue.push(entry.target);
      }
      work();
    },
    {rootMargin: '400px'},
  );
  sections.forEach((section) => watcher.observe(section));
};

window.accordViewer = accordViewer;
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', accordViewer.start);
else accordViewer.start();
