// The label tree as data: nodes, the rows that are visible, and where a key leads. No document.

const kAlwaysShown = 6; // children of a label that are listed however improbable
const kWorthShowing = 0.1; // … and those at least this probable
const kMoreAtOnce = 50;
const kMaxMatches = 200;
const kMaxPlaces = 8;

// From GET /v1/labels. A label with several parents hangs under each of them.
export function buildTree(labels) {
  const nodes = new Map(
    labels.map((label) => [label.label, { ...label, parents: label.parents ?? [], children: [] }]),
  );
  const roots = [];
  for (const node of nodes.values()) {
    const parents = node.parents.map((parent) => nodes.get(parent)).filter(Boolean);
    if (parents.length === 0) roots.push(node);
    for (const parent of parents) parent.children.push(node);
  }
  return { nodes, roots };
}

// What to call a label; below a parent whose label begins it ("a" over "a/b"), the rest is enough.
export function displayName(node, parent = null) {
  if (node.name) return node.name;
  if (parent && node.label.startsWith(`${parent.label}/`))
    return node.label.slice(parent.label.length + 1);
  return node.label;
}

// The names from a top label down to this one, along first parents.
export function pathOf(tree, label) {
  const path = [];
  for (let node = tree.nodes.get(label); node; node = tree.nodes.get(node.parents[0]))
    path.unshift(node);
  return path.map((node, depth) => displayName(node, path[depth - 1]));
}

// A row's key is the path to it, since a label may stand at several places. Labels hold no tabs.
const keyBelow = (parentKey, label) => `${parentKey}\t${label}`;

// The keys that must be open for these labels to be seen.
export function keysAbove(tree, labels) {
  const keys = new Set();
  const known = new Map();
  for (const label of labels) {
    for (const path of keysOf(tree, label, known)) {
      for (let end = path.lastIndexOf('\t'); end > 0; end = path.lastIndexOf('\t', end - 1)) {
        keys.add(path.slice(0, end));
      }
    }
  }
  return keys;
}

// The places where a label stands, the first few: in a graph they can be very many. `known`: those
// of the labels that were looked at before.
function keysOf(tree, label, known) {
  if (known.has(label)) return known.get(label);
  const parents = (tree.nodes.get(label)?.parents ?? []).filter((parent) => tree.nodes.has(parent));
  const keys =
    parents.length === 0
      ? [keyBelow('', label)]
      : parents
          .flatMap((parent) => keysOf(tree, parent, known).map((key) => keyBelow(key, label)))
          .slice(0, kMaxPlaces);
  known.set(label, keys);
  return keys;
}

// The visible rows, top to bottom. `view`: scores {label: score}, keep (labels never folded away),
// open (keys), more (key of a parent to how many of its folded children are shown), query.
export function visibleRows(tree, view) {
  const matches = view.query ? matching(tree, view.query) : null;
  const rows = [];
  const visit = (siblings, parent, parentKey, depth) => {
    const chosen = matches ? siblings.filter((node) => matches.has(node.label)) : siblings;
    const sorted = [...chosen].sort((a, b) => byScore(a, b, view.scores));
    const { shown, hidden } = matches
      ? { shown: sorted, hidden: 0 }
      : fold(sorted, parentKey, view);
    const size = shown.length + (hidden > 0 ? 1 : 0);
    shown.forEach((node, index) => {
      if (rows.length >= kMaxMatches && matches) return;
      const key = keyBelow(parentKey, node.label);
      const below = matches
        ? node.children.some((child) => matches.has(child.label))
        : node.children.length > 0;
      const open = below && (matches !== null || view.open.has(key));
      rows.push({
        key,
        parentKey,
        label: node.label,
        name: displayName(node, parent),
        level: node.level,
        score: view.scores[node.label],
        depth,
        expandable: below,
        open,
        position: index + 1,
        size,
      });
      if (open) visit(node.children, node, key, depth + 1);
    });
    if (hidden > 0) {
      rows.push({
        key: keyBelow(parentKey, '\tmore'),
        parentKey,
        hidden,
        depth,
        position: size,
        size,
      });
    }
  };
  visit(tree.roots, null, '', 1);
  return rows;
}

export const moreShown = (more, parentKey) =>
  new Map(more).set(parentKey, (more.get(parentKey) ?? 0) + kMoreAtOnce);

const collator = new Intl.Collator('en', { numeric: true });

function byScore(a, b, scores) {
  return (
    (scores[b.label] ?? 0) - (scores[a.label] ?? 0) ||
    collator.compare(displayName(a), displayName(b))
  );
}

// Many improbable siblings are one row, "n more", until asked for.
function fold(sorted, parentKey, { scores, keep, more }) {
  const first = kAlwaysShown + (more.get(parentKey) ?? 0);
  const shown = sorted.filter(
    (node, index) =>
      index < first || keep.has(node.label) || (scores[node.label] ?? 0) >= kWorthShowing,
  );
  const hidden = sorted.length - shown.length;
  return hidden < 3 ? { shown: sorted, hidden: 0 } : { shown, hidden };
}

// The labels whose name holds the query, with all that lies above them.
function matching(tree, query) {
  const wanted = query.toLocaleLowerCase();
  const found = new Set();
  const add = (node) => {
    if (found.has(node.label)) return;
    found.add(node.label);
    for (const parent of node.parents) if (tree.nodes.has(parent)) add(tree.nodes.get(parent));
  };
  for (const node of tree.nodes.values()) {
    if (`${node.label} ${node.name ?? ''}`.toLocaleLowerCase().includes(wanted)) add(node);
  }
  return found;
}

// What a key does in a tree, after the ARIA Authoring Practices: {focus: index}, {toggle: index},
// or null when the key means nothing here.
export function keyInTree(rows, at, key) {
  const row = rows[at];
  switch (key) {
    case 'ArrowDown':
      return { focus: Math.min(at + 1, rows.length - 1) };
    case 'ArrowUp':
      return { focus: Math.max(at - 1, 0) };
    case 'Home':
      return { focus: 0 };
    case 'End':
      return { focus: rows.length - 1 };
    case 'ArrowRight':
      if (!row.expandable) return null;
      return row.open ? { focus: at + 1 } : { toggle: at };
    case 'ArrowLeft': {
      if (row.open) return { toggle: at };
      const parent = rows.findIndex((other) => other.key === row.parentKey);
      return parent < 0 ? null : { focus: parent };
    }
    default:
      return typeAhead(rows, at, key);
  }
}

function typeAhead(rows, at, key) {
  if ([...key].length !== 1 || key === ' ') return null;
  const letter = key.toLocaleLowerCase();
  for (let step = 1; step <= rows.length; ++step) {
    const index = (at + step) % rows.length;
    if (rows[index].name?.toLocaleLowerCase().startsWith(letter)) return { focus: index };
  }
  return null;
}
