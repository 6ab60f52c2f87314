#pragma once

namespace hmtc {

/// The look of the pages that explain writes: light and dark, and narrow screens. Words carry
/// --w, their share of the greatest weight, as a number from 0 to 1.
inline constexpr const char* kExplainCss = R"(:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1b1f24; --quiet: #59636e; --faint: #e1e5ea; --panel: #f6f8fa;
  --for: 255 170 0; --against: 70 150 255; --accent: #b35900;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #14171c; --text: #e3e6ea; --quiet: #9aa4af; --faint: #2d333b; --panel: #1d2229;
    --for: 200 110 0; --against: 40 100 200; --accent: #f0a040; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1400px; padding: 16px 20px 48px; background: var(--page);
  color: var(--text); font: 15px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 24px; line-height: 1.25; margin: 12px 0 4px; }
h2 { font-size: 18px; margin: 36px 0 8px; padding-top: 12px; border-top: 1px solid var(--faint); }
h3 { font-size: 15px; margin: 0 0 2px; }
p { margin: 4px 0; }
.quiet { color: var(--quiet); font-size: 13px; }
.document { display: grid; gap: 20px; grid-template-columns: minmax(220px, 300px) 1fr; }
.models { display: grid; gap: 24px; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
.model { min-width: 0; }
.models .document, .models .labels { grid-template-columns: minmax(0, 1fr); }
.labels { display: grid; gap: 16px; align-content: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
.label { border: 1px solid var(--faint); border-radius: 8px; padding: 12px 14px; min-width: 0; }
.label p.text { white-space: pre-wrap; }
.tree ul { list-style: none; margin: 0; padding-left: 14px; }
.tree > ul { padding: 0; }
.tree a { color: inherit; }
meter { width: 64px; vertical-align: middle; }
mark { color: inherit; border-radius: 3px; padding: 0 1px;
  background: rgb(var(--for) / calc(var(--w) * 0.85)); }
mark.against { background: rgb(var(--against) / calc(var(--w) * 0.85)); }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 6px 10px; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--faint); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
@media (max-width: 700px) { .document { grid-template-columns: minmax(0, 1fr); }
  body { padding: 12px 12px 32px; } }
)";

}  // namespace hmtc
