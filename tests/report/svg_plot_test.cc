#include "report/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::Not;

/// From x 60 (0) to 660 (10), from y 112 (0) up to 12 (1).
SvgPlot small_plot() {
  SvgPlot plot(100, {});
  plot.x_axis({"epoch", 0, 10, 5});
  plot.y_axis({"score", 0, 1, 0.5});
  return plot;
}

TEST(SvgPlot, HasAxesWithTicksAndTitles) {
  const std::string svg = small_plot().svg("a plot");
  EXPECT_THAT(svg, testing::StartsWith("<svg class=\"plot\" viewBox=\"0 0 680 156\" role=\"img\" "
                                       "aria-label=\"a plot\">"));
  EXPECT_THAT(svg, HasSubstr("<text class=\"middle\" x=\"360.0\" y=\"128.0\">5</text>"));
  EXPECT_THAT(svg, HasSubstr("<text class=\"end\" x=\"52.0\" y=\"66.0\">0.5</text>"));
  EXPECT_THAT(svg, HasSubstr(">epoch</text>"));
  EXPECT_THAT(svg, HasSubstr(">score</text>"));
}

TEST(SvgPlot, DrawsALineThroughItsPoints) {
  SvgPlot plot = small_plot();
  plot.line(0, {{0, 0}, {5, 0.5}, {10, 1}});
  EXPECT_THAT(plot.svg(""), HasSubstr("points=\"60.0,112.0 360.0,62.0 660.0,12.0\""));
  EXPECT_THAT(plot.svg(""), HasSubstr("cx=\"660.0\" cy=\"12.0\""));
}

TEST(SvgPlot, ALineOfOnePointIsAMarkAndOfNoneIsNothing) {
  SvgPlot plot = small_plot();
  plot.line(0, {});
  EXPECT_EQ(plot.svg(""), small_plot().svg(""));
  plot.line(6, {{5, 0.5}});
  EXPECT_THAT(plot.svg(""), HasSubstr("<circle class=\"mark\" cx=\"360.0\" cy=\"62.0\""));
}

TEST(SvgPlot, AGuideRunsFromPointToPoint) {
  SvgPlot plot = small_plot();
  plot.guide({0, 0}, {10, 1});
  EXPECT_THAT(plot.svg(""), HasSubstr("<line class=\"guide\" x1=\"60.0\" y1=\"112.0\" "
                                      "x2=\"660.0\" y2=\"12.0\"/>"));
}

TEST(SvgPlot, TwelveSeriesLookDifferent) {
  std::vector<std::string> drawn;
  for (std::size_t series = 0; series < 12; ++series) {
    SvgPlot plot = small_plot();
    plot.mark(series, {5, 0.5}, "");
    EXPECT_THAT(drawn, Not(testing::Contains(plot.svg(""))));
    drawn.push_back(plot.svg(""));
  }
  EXPECT_THAT(drawn[4], HasSubstr("class=\"series-4\""));
  EXPECT_THAT(drawn[10], HasSubstr("class=\"series-4 second\""));
}

TEST(SvgPlot, NamesRunFromTheTopAndNeedRoom) {
  // 10 characters of 6.6 and 16: the axis begins at 82.
  SvgPlot plot(100, {"0123456789"});
  plot.x_axis({"", 0, 1, 1});
  plot.y_names({"0123456789", "b"});
  plot.tick({0, 0.5}, 5, "");
  EXPECT_THAT(plot.svg(""), HasSubstr("x=\"72.0\" y=\"41.0\">0123456789</text>"));
  EXPECT_THAT(plot.svg(""), HasSubstr("x=\"72.0\" y=\"91.0\">b</text>"));
  EXPECT_THAT(plot.svg(""), HasSubstr("x1=\"82.0\" y1=\"32.0\" x2=\"82.0\" y2=\"42.0\""));
}

TEST(SvgPlot, CutsLongNamesBetweenCharacters) {
  const std::string name = "äöüäöüäöüäöüäöüäöüäöüäöüäöüäöü";  // 30 characters
  SvgPlot plot(100, {name});
  plot.x_axis({"", 0, 1, 1});
  plot.y_names({name});
  EXPECT_THAT(plot.svg(""), HasSubstr(">äöüäöüäöüäöüäöüäöüäöüäöüäöüä…</text>"));
}

TEST(SvgPlot, TheLegendHasAsManyColumnsAsFit) {
  SvgPlot plot = small_plot();
  // 28 characters: columns of 28 · 6.6 + 54 = 238.8, two of which fit into 660.
  plot.legend({0, 1, 2}, {"abcdefghijklmnopqrstuvwxyz01", "b", "c"});
  EXPECT_THAT(plot.svg(""), HasSubstr("x=\"58.0\" y=\"172.0\">abc"));
  EXPECT_THAT(plot.svg(""), HasSubstr("x=\"296.8\" y=\"172.0\">b<"));
  EXPECT_THAT(plot.svg(""), HasSubstr("x=\"58.0\" y=\"192.0\">c<"));
  EXPECT_THAT(plot.svg(""), HasSubstr("viewBox=\"0 0 680 204\""));
}

TEST(SvgPlot, EscapesAllTexts) {
  SvgPlot plot(100, {"<y>"});
  plot.x_axis({"<axis>", 0, 1, 1});
  plot.y_names({"<y>"});
  plot.x_names("<x title>", {"<x>"});
  plot.y_axis({"<y title>", 0, 1, 1});
  plot.mark(0, {0, 0}, "<mark>");
  plot.tick({0, 0}, 1, "<tick>");
  plot.cross({0, 0}, "<cross>");
  plot.legend({0}, {"<legend>"});
  const std::string svg = plot.svg("\"<description>\"");
  for (const std::string name :
       {"axis", "y", "x title", "x", "y title", "mark", "tick", "cross", "legend", "description"}) {
    EXPECT_THAT(svg, HasSubstr("&lt;" + name + "&gt;"));
    EXPECT_THAT(svg, Not(HasSubstr("<" + name + ">")));
  }
  EXPECT_THAT(svg, HasSubstr("aria-label=\"&quot;&lt;description&gt;&quot;\""));
}

}  // namespace
}  // namespace hmtc
