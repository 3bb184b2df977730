// What every element that shows a trace has: the attributes src, theme and worker-url as properties.

const HostElement = typeof HTMLElement === 'undefined' ? (class {} as typeof HTMLElement) : HTMLElement; // where there is no DOM

export class TraceElement extends HostElement {
  /** Address of a trace file. */
  get src(): string {
    return this.getAttribute('src') ?? '';
  }
  set src(address: string) {
    this.setAttribute('src', address);
  }

  /** `dark`, `light`, or '' for the system's. */
  get theme(): string {
    return this.getAttribute('theme') ?? '';
  }
  set theme(name: string) {
    this.setAttribute('theme', name);
  }

  /** Where the worker's script is served; '': it comes with the element. */
  get workerUrl(): string {
    return this.getAttribute('worker-url') ?? '';
  }
  set workerUrl(address: string) {
    this.setAttribute('worker-url', address);
  }
}
