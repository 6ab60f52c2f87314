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
  fill.style.setProperty('--share', String(Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))));
  return h('span', { class: className, 'aria-hidden': 'true' }, fill);
}

export const byId = (id) => document.getElementById(id);
