/** The image has this many pixels for each pixel of the screen, so that it is sharp in a document. */
const SCALE = 3;
const PADDING = 16;
const HEAD = 28;
const FOOT = 24;

/** Draws each shape, because the page's Content-Security-Policy does not allow an SVG as an image. */
export async function chartImage(
  svg: SVGSVGElement,
  heading: string,
  compared: string | undefined,
): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal;
  const foot = compared === undefined ? 0 : FOOT;
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * PADDING) * SCALE;
  canvas.height = (height + HEAD + foot + 2 * PADDING) * SCALE;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const { color, fontFamily, fontSize } = getComputedStyle(svg);
  context.scale(SCALE, SCALE);
  context.fillStyle = groundOf(svg);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(PADDING, PADDING);
  context.fillStyle = color;
  context.font = `600 ${fontSize} ${fontFamily}`;
  context.fillText(heading, 0, HEAD / 2, width);
  context.translate(0, HEAD);
  for (const shape of svg.querySelectorAll<SVGElement>('rect, line, path, text')) draw(context, shape);
  const line = svg.querySelector<SVGElement>('.chart-before');
  if (compared !== undefined && line !== null) {
    context.strokeStyle = getComputedStyle(line).stroke;
    context.beginPath();
    context.moveTo(0, height + FOOT / 2);
    context.lineTo(FOOT, height + FOOT / 2);
    context.stroke();
    context.fillStyle = color;
    context.font = `${fontSize} ${fontFamily}`;
    context.textAlign = 'left';
    context.fillText(compared, FOOT + 8, height + FOOT / 2 + 4, width - FOOT - 8);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no image')) : resolve(blob)), 'image/png'),
  );
}

function groundOf(element: Element | null): string {
  if (element === null) return '#ffffff';
  const { backgroundColor } = getComputedStyle(element);
  return backgroundColor === 'rgba(0, 0, 0, 0)' ? groundOf(element.parentElement) : backgroundColor;
}

function draw(context: CanvasRenderingContext2D, shape: SVGElement): void {
  const { fill, stroke, strokeWidth, fontSize, fontFamily, fontWeight, opacity } = getComputedStyle(shape);
  const at = (name: string) => Number(shape.getAttribute(name) ?? 0);
  context.globalAlpha = Number(opacity);
  if (shape instanceof SVGLineElement) {
    context.strokeStyle = stroke;
    context.lineWidth = Number.parseFloat(strokeWidth);
    context.beginPath();
    context.moveTo(at('x1'), at('y1'));
    context.lineTo(at('x2'), at('y2'));
    if (stroke !== 'none') context.stroke();
  } else if (fill !== 'none') {
    context.fillStyle = fill;
    context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    context.textAlign = ALIGNS[shape.getAttribute('text-anchor') ?? ''] ?? 'left';
    if (shape instanceof SVGPathElement) context.fill(new Path2D(shape.getAttribute('d') ?? ''));
    else if (shape instanceof SVGRectElement) context.fillRect(at('x'), at('y'), at('width'), at('height'));
    else context.fillText(shape.textContent ?? '', at('x'), at('y'));
  }
}

const ALIGNS: Readonly<Record<string, CanvasTextAlign>> = { middle: 'center', end: 'right' };
