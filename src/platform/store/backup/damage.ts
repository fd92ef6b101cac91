/**
 * @file Collects the damage of a backup and describes it in sentences for the user. A sentence about damaged
 * values states their kind, their number and their line numbers.
 */
import type { BackupHead } from './format';
import type { BackupEntry } from './read-backup';
import type { BackupSection } from './section';

/** Maximum number of line numbers in a sentence. Further lines are only counted. */
const MOST_LINES = 3;

interface Found {
  whole: number;
  readonly lines: number[];
  reason: string;
  ended: boolean;
  intact: boolean;
}

export class Damage {
  readonly #head: BackupHead;
  readonly #known: ReadonlyMap<string, BackupSection>;
  readonly #found = new Map<string, Found>();
  #cut: Extract<BackupEntry, { kind: 'cut' }> | null = null;

  constructor(head: BackupHead, sections: readonly BackupSection[]) {
    this.#head = head;
    this.#known = new Map(sections.map((section) => [section.name, section]));
  }

  /** Number of undamaged values in a section. */
  whole(section: string): number {
    return this.#of(section).whole;
  }

  /** Whether a section is complete and unchanged. */
  isIntact(section: string): boolean {
    const { intact, ended, lines } = this.#of(section);
    return intact && ended && lines.length === 0;
  }

  /**
   * Records one entry of the file.
   * @param problem why the value of the entry is invalid. `null`: the value is valid
   */
  note(entry: BackupEntry, problem: string | null = null): void {
    switch (entry.kind) {
      case 'value': {
        const found = this.#of(entry.section);
        if (problem === null) found.whole += 1;
        else this.#lose(entry.section, entry.line, problem);
        return;
      }
      case 'damaged':
        return this.#lose(entry.section ?? '', entry.line, entry.message);
      case 'end': {
        const found = this.#of(entry.section);
        found.ended = true;
        found.intact = entry.intact;
        return;
      }
      case 'cut':
        this.#cut = entry;
        return;
      default:
        return entry satisfies never;
    }
  }

  /** Describes all damage found so far. */
  sentences(): string[] {
    const sentences = this.#head.sections.flatMap(({ name, lines }) => this.#sentence(name, lines));
    if (this.#cut)
      sentences.push(this.#cut.message ?? `The file ends or becomes unreadable after line ${this.#cut.line}.`);
    return sentences;
  }

  #sentence(name: string, promised: number): string[] {
    const section = this.#known.get(name);
    const { lines, reason, whole, ended, intact } = this.#of(name);
    if (!section) {
      const kind = `“${name.slice(0, 40)}”`;
      return promised > 0 ? [`This version of Podium doesn’t know the section ${kind}, so it is left out.`] : [];
    }
    const { one, many } = section;
    const read = whole + lines.length;
    const of = Math.max(promised, read);
    const all = `${of} ${of === 1 ? one : many}`;
    const missing = !ended && this.#cut !== null ? of - read : 0;
    if (ended && !intact && lines.length === 0) {
      return [`The ${many} don’t match their checksum. The file was changed.`];
    }
    return [
      ...(lines.length > 0
        ? [`${lines.length} of ${all} ${lines.length === 1 ? 'is' : 'are'} damaged: ${placesOf(lines)}. ${reason}`]
        : []),
      ...(missing > 0 ? [`${missing} of ${all} ${missing === 1 ? 'is' : 'are'} missing.`] : []),
    ];
  }

  #lose(section: string, line: number, reason: string): void {
    const found = this.#of(section);
    found.lines.push(line);
    if (found.reason === '') found.reason = reason;
  }

  #of(section: string): Found {
    const found = this.#found.get(section) ?? { whole: 0, lines: [], reason: '', ended: false, intact: false };
    this.#found.set(section, found);
    return found;
  }
}

function placesOf(lines: readonly number[]): string {
  const named = lines.slice(0, MOST_LINES).join(', ');
  const more = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more}`;
}
