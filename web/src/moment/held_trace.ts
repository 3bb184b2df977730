// A page that brings its trace along: one HTML file with everything inside. The trace is text in an element of its own, as a
// data: address, ahead of the page's script.
//
//   glass.html + trace ──holdTrace──▶ one file ──opened──▶ heldTrace ──▶ the source that is shown

const kId = 'hg-trace';

export interface HeldTrace {
  readonly name: string;
  readonly file: Blob;
  /** The part of an address behind #: the moment at which it was saved. */
  readonly moment: string;
}

/** The document `html` with a trace in it. */
export async function holdTrace(html: string, { name, file, moment }: HeldTrace): Promise<string> {
  const data = await dataAddress(file);
  const holder = document.createElement('template'); // inert, and no script: its text would need a policy
  holder.id = kId;
  holder.dataset['name'] = name;
  holder.dataset['moment'] = moment;
  holder.content.append(data);
  return html.replace('<body>', () => `<body>${holder.outerHTML}`);
}

/** The trace in this document; undefined: there is none. */
export async function heldTrace(): Promise<HeldTrace | undefined> {
  const holder = document.querySelector<HTMLTemplateElement>(`template#${kId}`);
  if (holder === null) return undefined;
  const response = await fetch(holder.content.textContent ?? '');
  return {
    name: holder.dataset['name'] ?? 'trace',
    moment: holder.dataset['moment'] ?? '',
    file: await response.blob(),
  };
}

function dataAddress(file: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The trace cannot be read.'));
    reader.readAsDataURL(file);
  });
}
