/**
 * @file Benchmarks the display of streamed answers. Streams text into five Markdown components at once. Each
 * component already shows 30 kB of text. New text arrives every 50 ms, as from the executor.
 */
import { mount, unmount } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';
import Markdown from '../../../src/app/ui/Markdown.svelte';
import '../../../src/app/ui/style/tokens.css';
import '../../../src/app/ui/style/base.css';
import { table, type Print } from '../report';
import { countFrames, frameLength, pause } from './frames';

const STREAMS = 5;
const TOKENS_PER_SECOND = 200;
const DELTA_INTERVAL = 50;
const ALREADY_THERE = 30_000;
const DURATION = 6_000;

/** How the end of an answer is kept in view. */
interface Following {
  readonly name: string;
  /** Style of the box around one answer. */
  readonly style: string;
  /** Time between two scrolls of each box to its end, ms. `null`: never. */
  readonly scrollEvery: number | null;
}

const BOX = 'height: 320px; overflow-y: auto; border: 1px solid;';
const FOLLOWING: readonly Following[] = [
  { name: 'in the page, end not kept in view', style: '', scrollEvery: null },
  {
    name: 'in boxes, end kept in view by column-reverse',
    style: `${BOX} display: flex; flex-direction: column-reverse;`,
    scrollEvery: null,
  },
  { name: 'in boxes, scrolled five times a second', style: BOX, scrollEvery: 200 },
];

export async function benchStreams(print: Print): Promise<void> {
  const frame = await frameLength();
  const rows: string[][] = [];
  for (const following of FOLLOWING) {
    const { dropped, busy, longTasks, tokens } = await stream(following, frame);
    const share = (value: number | null) => (value === null ? 'unknown' : `${(value * 100).toFixed(0)} %`);
    rows.push([following.name, share(dropped), share(busy), String(longTasks), String(tokens)]);
  }
  const title = `Streaming text: ${STREAMS} × ${TOKENS_PER_SECOND} tokens/s, ${ALREADY_THERE / 1000} kB each already there`;
  const head = ['', 'frames dropped', 'main thread busy', 'tasks over 50 ms', 'tokens a second'];
  table(
    print,
    `${title} (aim for the rows in boxes: at most 2 % of frames dropped, main thread at most 30 % busy)`,
    head,
    rows,
  );
}

/** Reactive props of one Markdown component. */
class Answer {
  readonly streaming = true;
  #text: string;
  #changed = () => {};
  readonly #subscribe = createSubscriber((update) => {
    this.#changed = update;
  });

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    this.#subscribe();
    return this.#text;
  }

  add(piece: string): void {
    this.#text += piece;
    this.#changed();
  }
}

interface Figures {
  readonly dropped: number;
  readonly busy: number | null;
  readonly longTasks: number;
  /** Tokens per second that each component received. */
  readonly tokens: number;
}

async function stream({ style, scrollEvery }: Following, frame: number): Promise<Figures> {
  const main = document.querySelector('main');
  if (!main) throw new Error('The page has no main.');
  const beginning = proseOf(ALREADY_THERE);
  const cards = Array.from({ length: STREAMS }, () => {
    const target = document.createElement('section');
    target.style.cssText = style;
    main.append(target);
    const answer = new Answer(beginning);
    return { target, answer, component: mount(Markdown, { target, props: answer }) };
  });
  // Gives the renderer time to load and to lay out the first text.
  await pause(1_500);

  const tokens = tokensForever();
  const began = performance.now();
  let shown = 0;
  const say = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * TOKENS_PER_SECOND);
    let piece = '';
    for (; shown < due; shown++) piece += tokens.next().value;
    for (const { answer } of cards) answer.add(piece);
  }, DELTA_INTERVAL);
  const scroll =
    scrollEvery === null
      ? undefined
      : setInterval(() => {
          for (const { target } of cards) target.scrollTop = target.scrollHeight;
        }, scrollEvery);

  const secondsBefore = (await globalThis.mainThreadSeconds?.()) ?? null;
  const measured = performance.now();
  const { frames, longTasks } = await countFrames(DURATION);
  const elapsed = performance.now() - measured;
  const secondsAfter = (await globalThis.mainThreadSeconds?.()) ?? null;
  clearInterval(say);
  clearInterval(scroll);

  const seconds = secondsBefore === null || secondsAfter === null ? null : secondsAfter - secondsBefore;
  const rate = shown / ((performance.now() - began) / 1000);
  for (const { component, target } of cards) {
    await unmount(component);
    target.remove();
  }
  return {
    dropped: Math.max(0, 1 - frames / (elapsed / frame)),
    busy: seconds === null ? null : (seconds * 1000) / elapsed,
    longTasks,
    tokens: Math.round(rate),
  };
}

const SENTENCES = [
  'The sum of the first terms is **bounded**, so the series converges. ',
  'Take `n` to be the smallest index for which that fails; ',
  'then the *earlier* bound applies and the rest follows by induction. ',
];
const BLOCKS = [
  '\n\n- first, the case of a single step\n- then the case of many\n\n',
  '\n\n### What remains\n\n',
  '\n\n```js\nfor (let index = 0; index < steps.length; index++) total += cost(steps[index]);\n```\n\n',
];

/** Markdown text, token by token: paragraphs with occasional lists, headings and code. */
function* tokensForever(): Generator<string, never> {
  for (let paragraph = 0; ; paragraph++) {
    for (let sentence = 0; sentence < 9; sentence++) {
      yield* (SENTENCES[sentence % SENTENCES.length] ?? '').match(/.{1,5}/gs) ?? [];
    }
    yield* (BLOCKS[paragraph % BLOCKS.length] ?? '').match(/.{1,5}/gs) ?? [];
  }
}

function proseOf(length: number): string {
  const tokens = tokensForever();
  let prose = '';
  while (prose.length < length) prose += tokens.next().value;
  return prose;
}
