/* The viewer, last part: puts views where the page has a place for them. */

accordViewer.parts = {
  spans: accordViewer.SpansView,
  items: accordViewer.ItemsView,
  texts: accordViewer.TextsView,
};

/* Shows data in an element; what stands there for pages without a script is kept for printing. */
accordViewer.mount = async function mount(element, data) {
  if (element.classList.contains('av-mounted')) return null;
  element.classList.add('av-mounted');
  const live = accordViewer.el('div', {class: 'av-live'});
  element.append(live);
  const view = await accordViewer.parts[data.kind].mount(live, data);
  live.classList.add('av-ready');
  return view;
};

/* Mounts the sections of a page when one comes near them. */
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
        console.error(error); // the others are shown all the same
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
