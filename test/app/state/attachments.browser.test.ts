import { beforeEach, describe, expect, it } from 'vitest';
import { Attachments } from '../../../src/app/state/attachments.svelte';
import { fault, FaultError } from '../../../src/core/contract';
import { imageFile, memoryImages, questionFile } from '../../fixtures/memory-images';

const file = (name: string) => new File([name], `${name}.png`, { type: 'image/png' });

/** Image storage that survives a reload. Each call of `open` simulates a newly loaded page. */
function tab() {
  const images = memoryImages();
  const open = (more: Partial<typeof images> = {}) =>
    new Attachments({
      images: { ...images, ...more },
      prepareImage: async (picked) => imageFile(await picked.text()),
      readFile: async (picked) => questionFile(await picked.text(), { name: picked.name }),
    });
  return { images, open };
}
const namesOf = ({ images }: Attachments) => images.map(({ name }) => name);

beforeEach(() => sessionStorage.clear());

describe('attached images', () => {
  it('are restored in order after a reload, and come before images that are added during the load', async () => {
    const { open } = tab();
    const before = open();
    await before.load();
    await before.add([file('one'), file('two')]);
    const { references } = before;
    const after = open();
    const added = [after.load(), after.add([file('three'), file('two')])];
    await Promise.all(added);
    expect(namesOf(after)).toEqual(['one.png', 'two.png', 'three.png']);
    expect(after.references.slice(0, 2)).toEqual(references);
  });

  it('lose their stored bytes when they are removed', async () => {
    const { images, open } = tab();
    const before = open();
    await before.add([file('one'), file('two')]);
    const [one, two] = before.references;
    (await before.desk()).remove(one?.hash ?? '');
    await expect.poll(() => [...images.kept.keys()]).toEqual([two?.hash]);
    const after = open();
    await after.load();
    expect(namesOf(after)).toEqual(['two.png']);
    (await after.desk()).remove(after.references[0]?.hash ?? '');
    await expect.poll(() => after.images).toEqual([]);
    expect(sessionStorage.getItem('podium.question-images')).toBeNull();
  });

  it('are dropped if their bytes are gone, or if the stored list of images is invalid', async () => {
    const { images, open } = tab();
    const before = open();
    await before.add([file('one'), file('two')]);
    images.kept.delete(before.references[0]?.hash ?? '');
    const after = open();
    await after.load();
    expect(namesOf(after)).toEqual(['two.png']);
    expect(after.fault?.message).toBe('one.png is no longer stored in this browser. Attach it again.');
    for (const rubbish of ['{', '[{"hash":5}]', '"x"']) {
      sessionStorage.setItem('podium.question-images', rubbish);
      const none = open();
      await none.load();
      expect(none.images).toEqual([]);
    }
  });

  it('are reported if they cannot be read, and restored once a later reload can read them', async () => {
    const { open } = tab();
    const before = open();
    await before.add([file('one'), file('two')]);
    const [one] = before.references;
    const failing = (hash: string) =>
      hash === one?.hash
        ? Promise.reject(new FaultError(fault('storage-failed', 'The disk did not answer.')))
        : Promise.resolve({ type: 'image/png' as const, bytes: new TextEncoder().encode('two') });
    const during = open({ get: failing });
    await during.load();
    expect(namesOf(during)).toEqual(['two.png']);
    expect(during.fault?.message).toBe(
      'one.png cannot be read now: The disk did not answer. Reload the page to try again.',
    );
    await during.add([file('three')]);
    const after = open();
    await after.load();
    expect(namesOf(after).toSorted()).toEqual(['one.png', 'three.png', 'two.png']);
    expect(after.fault).toBeNull();
  });

  it('are accepted even if storage fails, but `keep` rejects with the storage fault', async () => {
    const full = () => Promise.reject(new FaultError(fault('storage-full', 'The disk is full.')));
    const attachments = tab().open({ put: full, clearOut: full, drop: full, get: full });
    await attachments.load();
    await attachments.add([file('one')]);
    expect([namesOf(attachments), attachments.fault]).toEqual([['one.png'], null]);
    await expect(attachments.keep()).rejects.toThrow('The disk is full.');
    (await attachments.desk()).remove(attachments.references[0]?.hash ?? '');
    await expect.poll(() => attachments.images).toEqual([]);
  });

  it('are kept when unused images are deleted from storage', async () => {
    const { images, open } = tab();
    await open().add([file('one')]);
    let kept: readonly string[] = [];
    const after = open({ clearOut: (keep) => Promise.resolve(void (kept = keep)) });
    await after.load();
    expect(kept).toEqual([...images.kept.keys()]);
  });

  it('have a shortened name without invisible characters', async () => {
    const attachments = tab().open();
    await attachments.add([new File(['x'], `a\u202E${'long'.repeat(90)}.png`, { type: 'image/png' })]);
    expect(namesOf(attachments)[0]).toMatch(/^along[a-z]+…[a-z]+\.png$/);
  });
});

describe('attached files', () => {
  const text = (name: string) => new File([`Text of ${name}`], name, { type: 'text/plain' });
  const filesOf = ({ files }: Attachments) => files.map(({ name, text }) => [name, text]);

  it('are restored with their texts after a reload, and forgotten with their texts when they are removed', async () => {
    const { images, open } = tab();
    const before = open();
    await before.add([text('one.md'), file('picture'), text('two.csv'), text('one.md')]);
    expect(namesOf(before)).toEqual(['picture.png']);
    const after = open();
    await after.load();
    expect(filesOf(after)).toEqual([
      ['one.md', 'Text of one.md'],
      ['two.csv', 'Text of two.csv'],
    ]);
    (await after.desk()).remove(after.files[0]?.hash ?? '');
    await expect.poll(() => [...images.texts.values()]).toEqual(['Text of two.csv']);
    images.texts.clear();
    const later = open();
    await later.load();
    expect(later.files).toEqual([]);
    expect(later.fault?.message).toBe('two.csv is no longer stored in this browser. Attach it again.');
  });

  it('can be reduced to some of their parts, which a reload restores', async () => {
    const { open } = tab();
    const before = open();
    const pages = '[Page 1]\nOne\n\f[Page 2]\nTwo\n\f[Page 3]\nThree\n';
    await before.add([new File([pages], 'report.pdf', { type: 'application/pdf' })]);
    const [attached] = before.attachedFiles;
    const desk = await before.desk();
    if (attached) desk.keepParts(attached, [1, 2]);
    const kept = { name: 'report.pdf', text: '[Page 2]\nTwo\n\f[Page 3]\nThree\n', part: 'pages 2–3 of 3' };
    await expect.poll(() => before.files).toMatchObject([kept]);
    const after = open();
    await after.load();
    expect(after.files).toEqual(before.files);
    expect(after.attachedFiles[0]?.whole.text).toBe(pages);
  });

  it('are at most ten', async () => {
    const attachments = tab().open();
    await attachments.add(Array.from({ length: 11 }, (_, index) => text(`${index}.txt`)));
    expect(attachments.files).toHaveLength(10);
    expect(attachments.fault?.message).toBe('10.txt: A question can have at most 10 files. Remove one first.');
  });

  it('are not attached if the user stops reading them', async () => {
    const { images } = tab();
    const attachments = new Attachments({
      images,
      prepareImage: () => Promise.reject(new Error('No image was attached.')),
      readFile: (_file, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
        }),
    });
    const adding = attachments.add([text('long.txt'), text('next.txt')]);
    await expect.poll(() => attachments.reading).toBe('long.txt');
    (await attachments.desk()).stop();
    await adding;
    expect([attachments.files, attachments.fault, attachments.reading]).toEqual([[], null, '']);
  });
});
