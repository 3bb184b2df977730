// The call stacks of a trace as a tree from the outermost call inward, with the frames of libraries folded into their callers or not.
//
//   site  main < load < std::vector::push_back < malloc        folded: main < load
//
//   site_tree.T1  Stacks that read the same are one node. A stack with no frame of the program's own keeps its innermost one.
//   site_tree.T2  Within a generation of frames (sites.T6) a trace's sites never change, so the tree only grows; it is kept as long.
//   site_tree.T3  A program's main and the main that its compiler wrote around it are one frame: the one with file and line.

import { foldOf } from '../../base/frames.ts';
import type { Sites } from './sites.ts';

interface TreeNode {
  readonly parent: number;
  readonly frame: string;
  readonly depth: number;
}

const kKept = [new WeakMap<Sites, SiteTree>(), new WeakMap<Sites, SiteTree>()] as const;

export function siteTreeOf(sites: Sites, libraries: boolean): SiteTree {
  const kept = kKept[libraries ? 1 : 0];
  const known = kept.get(sites);
  if (known?.generation === sites.generation) return known;
  const tree = new SiteTree(sites, libraries);
  kept.set(sites, tree);
  return tree;
}

export class SiteTree {
  readonly generation: number;
  readonly #sites: Sites;
  readonly #libraries: boolean;
  readonly #nodes: TreeNode[] = [{ parent: 0, frame: '', depth: 0 }];
  readonly #children = new Map<string, number>();
  readonly #bySite = new Map<number, number>(); // 0: all of its frames are folded

  constructor(sites: Sites, libraries: boolean) {
    this.#sites = sites;
    this.#libraries = libraries;
    this.generation = sites.generation;
  }

  node(number: number): TreeNode {
    return this.#nodes[number] ?? { parent: 0, frame: '', depth: 0 };
  }

  /** 0: the site is not known. */
  of(site: number): number {
    const found = this.#sites.at(site);
    return found === undefined ? 0 : this.#ownOf(site) || this.#child(0, found.frame); // T1
  }

  #ownOf(site: number): number {
    const known = this.#bySite.get(site);
    if (known !== undefined) return known;
    const found = this.#sites.at(site);
    if (found === undefined) return 0;
    const caller = this.#ownOf(found.parent);
    const node = this.#below(caller, found.frame);
    this.#bySite.set(site, node);
    return node;
  }

  #below(caller: number, frame: string): number {
    if (this.#libraries) return this.#child(caller, frame);
    const { parent, frame: around } = this.node(caller);
    const fold = foldOf(frame, around);
    return fold === 'folded' ? caller : this.#child(fold === 'again' ? parent : caller, frame); // T3
  }

  #child(parent: number, frame: string): number {
    const key = `${parent}\n${frame}`;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const number = this.#nodes.push({ parent, frame, depth: this.node(parent).depth + 1 }) - 1;
    this.#children.set(key, number);
    return number;
  }
}
