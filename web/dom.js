// Elements in one expression. Styles go through CSSOM: the page's policy forbids style attributes.

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'text') element.textContent = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function bar(share, className = 'bar') {
  const fill = h('i');
  fill.style.setProperty(
    '--share',
    String(Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))),
  );
  return h('span', { class: className, 'aria-hidden': 'true' }, fill);
}

// New contents; the focus stays on what has the same data-focus as before.
export function refill(root, ...children) {
  const focus = root.contains(document.activeElement)
    ? document.activeElement.dataset.focus
    : undefined;
  root.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  if (focus !== undefined)
    root.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
}

export const byId = (id) => document.getElementById(id);
