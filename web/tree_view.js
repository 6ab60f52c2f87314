// The label tree on the page: an ARIA tree with one tab stop. Arrow keys move, Enter selects,
// Space pins.
import { bar, h } from './dom.js';
import { percent, plural } from './format.js';
import { keyInTree, keysAbove, moreShown, visibleRows } from './tree.js';

export class TreeView {
  #items = new Map();
  #rows = [];
  #focused = null;
  #state = null;
  #open = new Set();
  #more = new Map();
  #query = '';

  constructor(root, { onSelect, onPin }) {
    this.root = root;
    this.onSelect = onSelect;
    this.onPin = onPin;
    root.addEventListener('keydown', (event) => this.#key(event));
    root.addEventListener('click', (event) => this.#click(event));
    root.addEventListener('focusin', (event) =>
      this.#focus(event.target.closest('[role=treeitem]')?.dataset.key),
    );
  }

  // A new text: open what leads to the labels that matter, fold the rest.
  reset(state) {
    this.#open = keysAbove(state.tree, state.keep);
    this.#more = new Map();
    this.#query = '';
    this.#focused = null;
    this.root.classList.add('unfolding');
    this.update(state);
  }

  // `state`: tree, scores, predicted, selected, pinned, keep (labels that are never folded away).
  update(state) {
    const isNew = state.selected !== this.#state?.selected;
    this.#state = state;
    this.#render();
    if (isNew && state.selected) this.#unfoldTo(state.selected);
  }

  // A label that was selected elsewhere may stand below a folded one.
  #unfoldTo(label) {
    if (this.#query || this.#rows.some((row) => row.label === label)) return;
    for (const key of keysAbove(this.#state.tree, [label])) this.#open.add(key);
    this.#render();
  }

  search(query) {
    this.#query = query.trim();
    this.#render();
    return this.#rows.length;
  }

  #render() {
    const { tree, scores, keep } = this.#state;
    this.#rows = visibleRows(tree, {
      scores,
      keep,
      open: this.#open,
      more: this.#more,
      query: this.#query,
    });
    if (!this.#rows.some((row) => row.key === this.#focused)) this.#focused = this.#firstFocus();
    const items = new Map(
      this.#rows.map((row) => [row.key, this.#items.get(row.key) ?? makeItem(row)]),
    );
    this.#place(items);
    this.#rows.forEach((row) =>
      fillItem(items.get(row.key), row, this.#state, row.key === this.#focused),
    );
  }

  #firstFocus() {
    const selected = this.#rows.find(
      (row) => row.label !== undefined && row.label === this.#state.selected,
    );
    return (selected ?? this.#rows[0])?.key ?? null;
  }

  // Items that stay are not moved: moving the focused one would take the focus from it.
  #place(items) {
    for (const [key, item] of this.#items) if (!items.has(key)) item.remove();
    let next = this.root.firstChild;
    for (const item of items.values()) {
      if (item === next) next = next.nextSibling;
      else this.root.insertBefore(item, next);
    }
    this.#items = items;
  }

  #focus(key) {
    if (!key || key === this.#focused) return;
    this.#items.get(this.#focused)?.setAttribute('tabindex', '-1');
    this.#items.get(key)?.setAttribute('tabindex', '0');
    this.#focused = key;
  }

  #moveTo(index) {
    this.#items.get(this.#rows[index].key).focus();
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = this.#rows.findIndex((row) => row.key === this.#focused);
    if (at < 0) return;
    if (event.key === 'Enter') this.#activate(at);
    else if (event.key === ' ') this.#pin(at);
    else {
      const action = keyInTree(this.#rows, at, event.key);
      if (!action) return;
      if ('toggle' in action) this.#toggle(action.toggle);
      else this.#moveTo(action.focus);
    }
    event.preventDefault();
  }

  #click(event) {
    const item = event.target.closest('[role=treeitem]');
    const at = this.#rows.findIndex((row) => row.key === item?.dataset.key);
    if (at < 0) return;
    if (event.target.closest('.pin')) this.#pin(at);
    else if (event.target.closest('.twist') && this.#rows[at].expandable) this.#toggle(at);
    else this.#activate(at);
  }

  #activate(at) {
    const row = this.#rows[at];
    if (row.hidden === undefined) return this.onSelect(row.label);
    this.#more = moreShown(this.#more, row.parentKey);
    this.#render();
    this.#moveTo(at);
  }

  #pin(at) {
    if (this.#rows[at].label !== undefined) this.onPin(this.#rows[at].label);
  }

  #toggle(at) {
    const { key } = this.#rows[at];
    this.root.classList.remove('unfolding');
    if (!this.#open.delete(key)) this.#open.add(key);
    this.#render();
  }
}

function makeItem(row) {
  const item = h('li', { role: 'treeitem', 'data-key': row.key, tabindex: '-1' });
  item.style.setProperty('--depth', String(row.depth - 1));
  if (row.hidden !== undefined) {
    item.className = 'row more';
    return item;
  }
  item.className = 'row';
  item.dataset.label = row.label;
  item.append(
    h('span', { class: 'twist', 'aria-hidden': 'true' }),
    h('span', { class: 'level', 'aria-hidden': 'true', text: String(row.level) }),
    h('span', { class: 'name', text: row.name }),
    bar(row.score),
    h('span', { class: 'score' }),
    h('button', {
      class: 'pin',
      type: 'button',
      tabindex: '-1',
      'aria-hidden': 'true',
      title: 'Pin for comparison',
    }),
  );
  return item;
}

function fillItem(item, row, { predicted, selected, pinned }, focused) {
  const set = (name, value) =>
    value === null ? item.removeAttribute(name) : item.setAttribute(name, String(value));
  set('tabindex', focused ? 0 : -1);
  set('aria-level', row.depth);
  set('aria-posinset', row.position);
  set('aria-setsize', row.size);
  if (row.hidden !== undefined) {
    item.textContent = `${plural(row.hidden, 'more label')}, less probable`;
    return;
  }
  const isPredicted = predicted.has(row.label);
  const isPinned = pinned.includes(row.label);
  set('aria-expanded', row.expandable ? row.open : null);
  set('aria-selected', row.label === selected);
  set(
    'aria-label',
    [
      row.name,
      percent(row.score),
      `level ${row.level}`,
      isPredicted ? 'predicted' : null,
      isPinned ? 'pinned' : null,
    ]
      .filter(Boolean)
      .join(', '),
  );
  item.classList.toggle('predicted', isPredicted);
  item.classList.toggle('pinned', isPinned);
  item.querySelector('.bar i').style.setProperty('--share', String(row.score ?? 0));
  item.querySelector('.score').textContent = percent(row.score);
}
