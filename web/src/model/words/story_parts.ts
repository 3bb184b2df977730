// The words of a story: plain parts and deciding ones in turn.

export interface StoryPart {
  readonly text: string;
  readonly strong: boolean;
}

const kMostParts = 40;

export class Story {
  readonly parts: StoryPart[] = [];

  get full(): boolean {
    return this.parts.length >= kMostParts;
  }

  /** Plain and deciding parts in turn: say('It has ', '48 B', ' left.') */
  say(...parts: readonly string[]): void {
    parts.forEach((text, i) => {
      const strong = i % 2 === 1;
      const last = this.parts[this.parts.length - 1];
      if (!strong && last !== undefined && !last.strong)
        this.parts[this.parts.length - 1] = { text: last.text + text, strong };
      else if (text !== '') this.parts.push({ text, strong });
    });
  }
}
