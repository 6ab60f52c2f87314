#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/axis.h"

namespace hmtc {

struct PlotPoint {
  double x = 0;
  double y = 0;
};

/// A plot as an SVG element for a page that has plot_css(). Axes come first: they set the scales
/// that everything else is drawn by. All texts are escaped here.
///
/// A series is a number from 0. Six colours that the colour-blind can tell apart go with six shapes
/// of marks; from 6 to 11 marks are hollow and lines dashed, from 12 on they begin anew.
class SvgPlot {
 public:
  /// Of `height` units between the axes, with room for the widest of `y_labels` on the left.
  SvgPlot(double height, const std::vector<std::string>& y_labels);

  void x_axis(const Axis& axis);
  void y_axis(const Axis& axis);
  /// Instead of numbers, a name for each stretch: the first from 0 to 1, the second from 1 to 2.
  void x_names(const std::string& title, const std::vector<std::string>& names);
  void y_names(const std::vector<std::string>& names);  ///< from the top

  /// A line with some marks on it; a single point is a mark.
  void line(std::size_t series, const std::vector<PlotPoint>& points);
  /// A mark; `tooltip` is shown by browsers that have a pointer. A faint one lets others through.
  void mark(std::size_t series, const PlotPoint& at, const std::string& tooltip,
            bool is_faint = false);
  /// A straight stroke for a spread, in the colour of the series.
  void stroke(std::size_t series, const PlotPoint& from, const PlotPoint& to);
  /// A dashed line to compare with, in the colour of the text.
  void guide(const PlotPoint& from, const PlotPoint& to);
  /// A stroke across the x axis in the colour of the text: `half` units up and down.
  void tick(const PlotPoint& at, double half, const std::string& tooltip);
  /// A cross in the colour of the text.
  void cross(const PlotPoint& at, const std::string& tooltip);

  /// Series and their names, below the plot in as many columns as fit.
  void legend(const std::vector<std::size_t>& series, const std::vector<std::string>& names);

  /// The element; `description` is for those who cannot see it.
  std::string svg(const std::string& description) const;

 private:
  double x(double value) const;
  double y(double value) const;
  void add_text(double x, double y, const std::string& css_class, const std::string& text);

  double left_;
  double top_;
  double right_;
  double bottom_;
  double end_;  ///< of what is drawn, downwards
  Axis x_axis_;
  Axis y_axis_;
  std::string elements_;
};

/// The style of all plots. It reads the custom properties --page, --text, --faint (grid lines) and
/// --series-0 to --series-5.
const char* plot_css();

}  // namespace hmtc
