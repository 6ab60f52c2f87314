#include "report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/escape.h"

namespace hmtc {
namespace {

// In units of the SVG, of which a plot is 680 wide; a page shows them as about a pixel each.
constexpr double kWidth = 680;
constexpr double kCharacter = 6.6;  // of the 12 unit font; an estimate, there is no font to ask
constexpr std::size_t kLongestLabel = 28;
constexpr std::size_t kNumColours = 6;
constexpr double kMark = 4;

/// Cut to what there is room for.
std::string short_label(const std::string& text) {
  std::string shown;
  std::size_t characters = 0;
  for (const char c : text) {
    const bool begins_character = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (begins_character && ++characters > kLongestLabel) return shown + "…";
    shown += c;
  }
  return shown;
}

double label_width(const std::string& text) {
  const std::string shown = short_label(text);
  const auto characters = std::count_if(shown.begin(), shown.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
  return kCharacter * static_cast<double>(characters);
}

double widest(const std::vector<std::string>& labels) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, label_width(label));
  return width;
}

std::string classes(std::size_t series) {
  const bool is_second_round = (series / kNumColours) % 2 == 1;
  return fmt::format("series-{}{}", series % kNumColours, is_second_round ? " second" : "");
}

std::string svg_line(const std::string& css_class, PlotPoint from, PlotPoint to) {
  return fmt::format(R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)",
                     css_class, from.x, from.y, to.x, to.y);
}

std::string with_tooltip(const std::string& css_class, const std::string& shapes,
                         const std::string& tooltip) {
  return fmt::format("<g class=\"{}\"><title>{}</title>{}</g>\n", css_class, html_escaped(tooltip),
                     shapes);
}

/// A shape of "radius" r in the colour of the series.
std::string mark_shape(std::size_t series, PlotPoint centre, double r) {
  const auto [x, y] = centre;
  const auto polygon = [](const std::vector<PlotPoint>& corners) {
    std::string points;
    for (const PlotPoint& corner : corners) {
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", corner.x, corner.y);
    }
    return fmt::format(R"(<polygon class="mark" points="{}"/>)", points);
  };
  switch (series % kNumColours) {
    case 0:
      return fmt::format(R"(<circle class="mark" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>)", x, y, r);
    case 1:
      return polygon({{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}});
    case 2:
      return polygon({{x, y - 1.3 * r}, {x + 1.2 * r, y + r}, {x - 1.2 * r, y + r}});
    case 3:
      return polygon({{x, y - 1.4 * r}, {x + 1.4 * r, y}, {x, y + 1.4 * r}, {x - 1.4 * r, y}});
    case 4:
      return polygon({{x, y + 1.3 * r}, {x + 1.2 * r, y - r}, {x - 1.2 * r, y - r}});
    default:  // an hourglass
      return polygon(
          {{x - r, y - 1.2 * r}, {x + r, y - 1.2 * r}, {x - r, y + 1.2 * r}, {x + r, y + 1.2 * r}});
  }
}

}  // namespace

SvgPlot::SvgPlot(double height, const std::vector<std::string>& y_labels)
    : left_(std::max(60.0, widest(y_labels) + 16)),
      top_(12),
      right_(kWidth - 20),
      bottom_(top_ + height),
      end_(bottom_ + 12) {}

double SvgPlot::x(double value) const {
  return left_ + (right_ - left_) * (value - x_axis_.low) / (x_axis_.high - x_axis_.low);
}

double SvgPlot::y(double value) const {
  return bottom_ - (bottom_ - top_) * (value - y_axis_.low) / (y_axis_.high - y_axis_.low);
}

void SvgPlot::add_text(double x, double y, const std::string& css_class, const std::string& text) {
  elements_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", css_class, x,
                           y, html_escaped(text));
}

void SvgPlot::x_axis(const Axis& axis) {
  x_axis_ = axis;
  for (const double value : ticks(axis)) {
    elements_ += svg_line("grid", {x(value), top_}, {x(value), bottom_});
    add_text(x(value), bottom_ + 16, "middle", tick_text(value, axis.step));
  }
  add_text((left_ + right_) / 2, bottom_ + 36, "middle title", axis.title);
  end_ = bottom_ + 44;
}

void SvgPlot::y_axis(const Axis& axis) {
  y_axis_ = axis;
  for (const double value : ticks(axis)) {
    elements_ += svg_line("grid", {left_, y(value)}, {right_, y(value)});
    add_text(left_ - 8, y(value) + 4, "end", tick_text(value, axis.step));
  }
  const double middle = (top_ + bottom_) / 2;
  elements_ += fmt::format(
      "<text class=\"middle title\" transform=\"translate(14 {:.1f}) rotate(-90)\">{}</text>\n",
      middle, html_escaped(axis.title));
}

void SvgPlot::x_names(const std::string& title, const std::vector<std::string>& names) {
  x_axis_ = {title, 0, static_cast<double>(names.size()), 1};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto begin = static_cast<double>(i);
    if (i > 0) elements_ += svg_line("grid", {x(begin), top_}, {x(begin), bottom_});
    add_text(x(begin + 0.5), bottom_ + 16, "middle", short_label(names[i]));
  }
  add_text((left_ + right_) / 2, bottom_ + 36, "middle title", title);
  end_ = bottom_ + 44;
}

void SvgPlot::y_names(const std::vector<std::string>& names) {
  // Downwards: the first name is at the top.
  y_axis_ = {"", static_cast<double>(names.size()), 0, -1};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto begin = static_cast<double>(i);
    if (i > 0) elements_ += svg_line("grid", {left_, y(begin)}, {right_, y(begin)});
    add_text(left_ - 10, y(begin + 0.5) + 4, "end", short_label(names[i]));
  }
}

void SvgPlot::line(std::size_t series, const std::vector<PlotPoint>& points) {
  if (points.empty()) return;
  std::string path;
  for (const PlotPoint& point : points) {
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x(point.x), y(point.y));
  }
  elements_ +=
      fmt::format(R"(<g class="{}"><polyline class="line" points="{}"/>)", classes(series), path);
  // About six marks, at other places for each series, so that lines upon each other show theirs.
  const std::size_t distance = std::max<std::size_t>(1, points.size() / 6);
  for (std::size_t i = series % distance; i < points.size(); i += distance) {
    elements_ += mark_shape(series, {x(points[i].x), y(points[i].y)}, kMark - 0.5);
  }
  elements_ += "</g>\n";
}

void SvgPlot::mark(std::size_t series, const PlotPoint& at, const std::string& tooltip,
                   bool is_faint) {
  elements_ += with_tooltip(classes(series) + (is_faint ? " faint" : ""),
                            mark_shape(series, {x(at.x), y(at.y)}, kMark), tooltip);
}

void SvgPlot::stroke(std::size_t series, const PlotPoint& from, const PlotPoint& to) {
  elements_ += fmt::format("<g class=\"{}\">{}</g>\n", classes(series),
                           svg_line("stroke", {x(from.x), y(from.y)}, {x(to.x), y(to.y)}));
}

void SvgPlot::guide(const PlotPoint& from, const PlotPoint& to) {
  elements_ += svg_line("guide", {x(from.x), y(from.y)}, {x(to.x), y(to.y)}) + "\n";
}

void SvgPlot::tick(const PlotPoint& at, double half, const std::string& tooltip) {
  elements_ += with_tooltip(
      "sign", svg_line("sign", {x(at.x), y(at.y) - half}, {x(at.x), y(at.y) + half}), tooltip);
}

void SvgPlot::cross(const PlotPoint& at, const std::string& tooltip) {
  const double cx = x(at.x);
  const double cy = y(at.y);
  elements_ +=
      with_tooltip("sign",
                   svg_line("sign", {cx - kMark, cy - kMark}, {cx + kMark, cy + kMark}) +
                       svg_line("sign", {cx - kMark, cy + kMark}, {cx + kMark, cy - kMark}),
                   tooltip);
}

void SvgPlot::legend(const std::vector<std::size_t>& series,
                     const std::vector<std::string>& names) {
  constexpr double kLine = 20;
  constexpr double kSample = 30;
  const double column = widest(names) + kSample + 24;
  const auto columns = static_cast<std::size_t>(std::max(1.0, (kWidth - 20) / column));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t line = i / columns;
    const double left = 20 + column * static_cast<double>(i % columns);
    const double middle = end_ + 12 + kLine * static_cast<double>(line);
    elements_ += fmt::format("<g class=\"{}\">{}{}</g>\n", classes(series[i]),
                             svg_line("line", {left, middle}, {left + kSample, middle}),
                             mark_shape(series[i], {left + kSample / 2, middle}, kMark));
    add_text(left + kSample + 8, middle + 4, "start", short_label(names[i]));
  }
  end_ += kLine * std::ceil(static_cast<double>(names.size()) / static_cast<double>(columns)) + 8;
}

std::string SvgPlot::svg(const std::string& description) const {
  return fmt::format(
      "<svg class=\"plot\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n{}</svg>\n",
      kWidth, end_, html_escaped(description), elements_);
}

const char* plot_css() {
  return R"(.plot { display: block; width: 100%; min-width: 520px; }
.plot text { font-size: 12px; fill: var(--text); }
.plot .middle { text-anchor: middle; }
.plot .end { text-anchor: end; }
.plot .title { font-weight: 600; }
.plot .grid { stroke: var(--faint); stroke-width: 1; }
.plot .line { fill: none; stroke: var(--series); stroke-width: 1.8; stroke-linejoin: round; }
.plot .second .line { stroke-dasharray: 6 3; }
.plot .stroke { stroke: var(--series); stroke-width: 2.5; }
.plot .mark { fill: var(--series); stroke: var(--series); stroke-width: 1.5; }
.plot .second .mark { fill: var(--page); }
.plot .faint { opacity: 0.6; }
.plot .guide { stroke: var(--text); stroke-dasharray: 2 4; opacity: 0.6; }
.plot .sign { stroke: var(--text); stroke-width: 2; }
.plot .series-0 { --series: var(--series-0); }
.plot .series-1 { --series: var(--series-1); }
.plot .series-2 { --series: var(--series-2); }
.plot .series-3 { --series: var(--series-3); }
.plot .series-4 { --series: var(--series-4); }
.plot .series-5 { --series: var(--series-5); }
)";
}

}  // namespace hmtc
