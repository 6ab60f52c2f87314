// An ARIA tab list: arrow keys move between the tabs and show their panels.

export class Tabs {
  constructor(list, onShow) {
    this.tabs = [...list.querySelectorAll('[role=tab]')];
    list.addEventListener('click', (event) => {
      const tab = event.target.closest('[role=tab]');
      if (tab) onShow(tab.dataset.view);
    });
    list.addEventListener('keydown', (event) => {
      const next = this.#after(event.key);
      if (next === null) return;
      event.preventDefault();
      this.tabs[next].focus();
      onShow(this.tabs[next].dataset.view);
    });
  }

  show(view) {
    for (const tab of this.tabs) {
      const chosen = tab.dataset.view === view;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !chosen;
    }
  }

  #after(key) {
    const at = this.tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
    const last = this.tabs.length - 1;
    switch (key) {
      case 'ArrowRight':
        return at === last ? 0 : at + 1;
      case 'ArrowLeft':
        return at === 0 ? last : at - 1;
      case 'Home':
        return 0;
      case 'End':
        return last;
      default:
        return null;
    }
  }
}
