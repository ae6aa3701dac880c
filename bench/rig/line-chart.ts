const WIDTH = 480;
const HEIGHT = 240;
const MARGIN = { top: 40, right: 24, bottom: 44, left: 52 };

export interface Point {
  /** The text below the point. */
  label: string;
  value: number;
  least: number;
  most: number;
}

/** A small line chart as SVG: points at equal distances, each with its spread, on an axis from 0. */
export function lineChart(title: string, xTitle: string, points: readonly Point[]): string {
  const top = Math.max(1.5, ...points.map(({ most }) => most));
  const right = WIDTH - MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const x = (index: number) =>
    MARGIN.left + ((index + 0.5) * (right - MARGIN.left)) / Math.max(1, points.length);
  const y = (value: number) => bottom - (value / top) * (bottom - MARGIN.top);
  const at = (value: number) => value.toFixed(1);
  const text = (left: number, below: number, anchor: string, words: string) =>
    `<text x="${at(left)}" y="${at(below)}" text-anchor="${anchor}">${words}</text>`;

  const ticks = [0, 0.5, 1, 1.5, 2, 3, 4].filter((tick) => tick <= top);
  const grid = ticks.map(
    (tick) =>
      `<path class="grid" d="M${MARGIN.left} ${at(y(tick))}H${right}"/>${text(MARGIN.left - 8, y(tick) + 4, 'end', tick.toFixed(1))}`,
  );
  const spreads = points.map(
    ({ least, most }, index) => `<path class="spread" d="M${at(x(index))} ${at(y(least))}V${at(y(most))}"/>`,
  );
  const line = points.map(({ value }, index) => `${at(x(index))},${at(y(value))}`).join(' ');
  const dots = points.map(
    ({ value, label }, index) =>
      `<circle cx="${at(x(index))}" cy="${at(y(value))}" r="3.5"/>${text(x(index), bottom + 16, 'middle', label)}`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>
  rect { fill: #fff } text { font: 12px system-ui, sans-serif; fill: #333 } .title { font-weight: 600; font-size: 13px }
  .grid { stroke: #ddd } .spread { stroke: #9bb8dd; stroke-width: 6; stroke-linecap: round }
  polyline { fill: none; stroke: #1f5fa8; stroke-width: 2 } circle { fill: #1f5fa8 }
</style>
<rect width="${WIDTH}" height="${HEIGHT}" rx="6"/>
<text class="title" x="${MARGIN.left}" y="22">${title}</text>
${[...grid, ...spreads].join('\n')}
<polyline points="${line}"/>
${dots.join('\n')}
${text((MARGIN.left + right) / 2, HEIGHT - 8, 'middle', xTitle)}
</svg>
`;
}
