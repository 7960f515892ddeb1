import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent, TitleComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Panel, Plot } from './curves.ts';

echarts.use([LineChart, GridComponent, TitleComponent, LegendComponent, MarkLineComponent, SVGRenderer]);

const WIDTH = 900;
const PANEL_HEIGHT = 260;
const HEAD = 50;
/** Of a panel: its title and the legend above, the axis below. */
const [ABOVE, BELOW, LEFT, RIGHT] = [60, 45, 80, 40];
export const FONT = 'Inter Variable';
/** Told apart also by people who see red and green alike (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const GREY = '#6b6f76';

/** A plot as SVG, drawn without a browser; the same plot gives the same text. */
export function svgOf({ title, panels }: Plot): string {
  const chart = echarts.init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: WIDTH,
    height: HEAD + PANEL_HEIGHT * panels.length,
  });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: '#ffffff',
      color: COLOURS,
      textStyle: { fontFamily: FONT, color: '#1c1e21' },
      title: [{ text: title, left: LEFT, top: 12 }, ...panels.map(titleOf)],
      legend: panels.map(legendOf),
      grid: panels.map((_, at) => ({
        left: LEFT,
        right: RIGHT,
        top: topOf(at) + ABOVE,
        height: PANEL_HEIGHT - ABOVE - BELOW,
      })),
      xAxis: panels.map((_, at) => ({
        type: 'value',
        gridIndex: at,
        name: 'step',
        nameLocation: 'middle',
        nameGap: 26,
        min: 'dataMin',
        max: 'dataMax',
        minInterval: 1,
        axisLabel: { formatter: (step: number) => (step < 0 ? 'before' : String(step)) },
      })),
      yAxis: panels.map(({ unit, range }, at) => ({
        ...{
          type: 'value',
          gridIndex: at,
          name: unit,
          nameLocation: 'middle',
          nameGap: 52,
          nameRotate: 90,
          axisLine: { onZero: false },
        },
        ...(range ? atLeast(range) : { scale: true }),
      })),
      series: panels.flatMap(seriesOf),
    });
    return withoutNumbers(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

/** What a panel always shows; more where a curve goes beyond. */
function atLeast([low, high]: readonly [number, number]) {
  return {
    min: ({ min }: { min: number }) => Math.min(low, min),
    max: ({ max }: { max: number }) => Math.max(high, max),
    axisLabel: { showMinLabel: false, showMaxLabel: false },
  };
}

function topOf(panel: number): number {
  return HEAD + panel * PANEL_HEIGHT;
}

function titleOf({ title }: Panel, at: number) {
  return {
    text: title,
    left: LEFT,
    top: topOf(at) + 4,
    textStyle: { fontSize: 13, fontWeight: 'normal', color: GREY },
  };
}

/** One curve needs none: the axis says what it is. */
function legendOf({ curves }: Panel, at: number) {
  const data = curves.length > 1 ? curves.map(({ name }) => name) : [];
  return { data, top: topOf(at) + 24, right: RIGHT };
}

function seriesOf({ curves, borders = [] }: Panel, at: number) {
  return curves.map(({ name, points }, curve) => ({
    ...{ type: 'line', name, xAxisIndex: at, yAxisIndex: at, data: points, color: COLOURS[curve % COLOURS.length] },
    ...(curve === 0 && borders.length > 0 && { markLine: bordersOf(borders) }),
  }));
}

function bordersOf(borders: readonly number[]) {
  const lineStyle = { type: 'dashed', color: GREY };
  return { symbol: 'none', silent: true, lineStyle, data: borders.map((yAxis) => ({ yAxis })) };
}

/** ECharts counts its charts, and names clip paths by that. */
function withoutNumbers(svg: string): string {
  return svg.replaceAll(/zr\d+-/g, 'zr-');
}
