/**
 * @file Inspects and restores backups, section by section. A section contains one kind of data, such as the workers. Each value
 * is restored completely or not at all.
 */
import type {
  BackupContents,
  ProgressListener,
  RestoredPart,
  RestoreMode,
  RestoreProgress,
} from '../../../core/contract';
import { fileLines } from '../files';
import { Damage } from './damage';
import { openBackup } from './read-backup';
import type { BackupSection, SectionWriter } from './section';

/** Number of entries between two progress reports of an inspection. */
const REPORT = 50;

export async function inspectBackup(
  file: Blob,
  sections: readonly BackupSection[],
  signal: AbortSignal,
  onprogress: ProgressListener = () => {},
): Promise<BackupContents> {
  const lines = fileLines(file, signal);
  const { head, entries } = await openBackup(lines);
  const known = new Map(sections.map((section) => [section.name, section]));
  const damage = new Damage(head, sections);
  let seen = 0;
  for await (const entry of entries) {
    const problem = entry.kind === 'value' ? known.get(entry.section)?.problem(entry.value) : null;
    damage.note(entry, problem ?? null);
    if (++seen % REPORT === 0) onprogress(lines.read, lines.of);
  }
  onprogress(lines.of, lines.of);
  const parts = head.sections.flatMap(({ name, lines: promised }) => {
    const section = known.get(name);
    if (!section) return [];
    return [{ name, one: section.one, many: section.many, promised, whole: damage.whole(name) }];
  });
  return { madeAt: head.madeAt, app: head.app, parts, damage: damage.sentences() };
}

/**
 * Restores a backup. After an abort or a fault, the values restored so far stay in the store.
 * @yields the progress after each write and at the end, even after an abort or a fault
 */
export async function* restoreBackup(
  file: Blob,
  sections: readonly BackupSection[],
  mode: RestoreMode,
  signal: AbortSignal,
): AsyncGenerator<RestoreProgress, void, undefined> {
  const lines = fileLines(file, signal);
  const { head, entries } = await openBackup(lines);
  const damage = new Damage(head, sections);
  const present = new Set(head.sections.map(({ name }) => name));
  const open = new Map<string, { readonly section: BackupSection; readonly writer: SectionWriter }>(
    sections
      .filter(({ name }) => present.has(name))
      .map((section) => [section.name, { section, writer: section.open(mode) }]),
  );
  /** For mode `replace`: a sentence for each section from which nothing was deleted because the file is damaged. */
  const stays: string[] = [];
  const report = (): RestoreProgress => ({
    read: lines.read,
    of: lines.of,
    parts: [...open.values()].map(({ section: { name, one, many }, writer }): RestoredPart => {
      return { name, one, many, counts: writer.counts };
    }),
    damage: [...damage.sentences(), ...stays],
  });
  try {
    for await (const entry of entries) {
      const writer = 'section' in entry && entry.section !== null ? open.get(entry.section)?.writer : undefined;
      damage.note(entry, entry.kind === 'value' ? (writer?.add(entry.value, entry.length) ?? null) : null);
      if (writer && (writer.isFull || entry.kind === 'end')) {
        await writer.put();
        yield report();
      }
    }
    for (const { writer } of open.values()) await writer.put();
    if (mode === 'replace') {
      const inOrder = [...open.values()].toSorted((one, other) => Number(isUsed(one)) - Number(isUsed(other)));
      for (const { section, writer } of inOrder) {
        signal.throwIfAborted();
        const { name, usedBy } = section;
        // If the section is damaged in the file, nothing is deleted, because the browser may have the only
        // intact copy of a value. The second condition is explained at `usedBy`.
        const isIntact = damage.isIntact(name) && (usedBy === undefined || damage.isIntact(usedBy));
        if (isIntact) await writer.prune(signal);
        else if (!section.keepsExisting) stays.push(staysHere(section.many));
      }
    }
  } catch (thrown) {
    yield report();
    throw thrown;
  }
  yield report();
}

function isUsed({ section }: { readonly section: BackupSection }): boolean {
  return section.usedBy !== undefined;
}

function staysHere(many: string): string {
  const things = many.charAt(0).toUpperCase() + many.slice(1);
  return `${things} that are not in the file were kept, because the file is damaged.`;
}
