// A chart of the page as a file: the element with the styles that the page's sheets give it written into it, so that it looks
// the same where those sheets are not.

/** Of a shape's style these say how it looks. */
const kStyles = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'display',
] as const;

export function svgText(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const shown = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const copied = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  shown.forEach((element, nth) => {
    const style = getComputedStyle(element);
    for (const name of kStyles) copied[nth]?.style.setProperty(name, style.getPropertyValue(name));
  });
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  copy.style.background = getComputedStyle(svg).getPropertyValue('--hg-bg');
  const named = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  named.textContent = title;
  copy.prepend(named);
  return new XMLSerializer().serializeToString(copy);
}
