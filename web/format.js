// Numbers as people read them. What is undefined arrives as null and is shown as a dash.

export function percent(score) {
  if (!Number.isFinite(score)) return '–';
  if (score > 0 && score < 0.001) return '<0.1 %';
  if (score > 0.99 && score < 1) return '>99 %';
  if (score < 0.1 && score > 0) return `${(score * 100).toFixed(1)} %`;
  return `${Math.round(score * 100)} %`;
}

export function weight(value) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const digits = size < 0.001 ? '<0.001' : size < 10 ? size.toPrecision(2) : size.toFixed(0);
  return (value < 0 ? '−' : '') + digits;
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
