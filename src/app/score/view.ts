/** @file Builds the score's view model from a plan, a live run or a replay. */
import type { PoolWorker, Run } from '../../core/contract';
import { playheadOf, ticksOf } from './axis';
import {
  ROW,
  type Cue,
  type Note,
  type NoteLook,
  type PlanBar,
  type RoundBracket,
  type ScoreMode,
  type ScoreView,
  type Stave,
  type WaitBar,
  lineOf,
  type Curve,
} from './drawing';
import { partsOfPreview, partsOfRun, type Part, type Parts, type PlanPreview, type RoundSpan } from './parts';
import { placeInOrder, placeInRows, placeInTime, round2, type Placing, type Span } from './place';
import { detailOf, nameOf, planDetail, roleLabel, roundWords } from './score-words';

export type { Note, ScoreMode, ScoreView } from './drawing';
export type { PlanPreview, StepPlace } from './parts';

export interface ScoreOptions {
  readonly mode: ScoreMode;
  /** The current time of a live run, ms of active time. */
  readonly now?: number | undefined;
  /** For a replay: shows the run as it was at this time, ms of active time. */
  readonly upTo?: number | undefined;
}

/** Builds the view model of a run or a plan. A plan has no times, so its steps are drawn in their order, in every mode. */
export function scoreOf(source: Run | PlanPreview, options: ScoreOptions): ScoreView {
  const parts = 'rounds' in source ? partsOfRun(source, options) : partsOfPreview(source);
  const mode = parts.ran ? options.mode : 'order';
  const placing = mode === 'time' ? placeInTime(parts) : placeInOrder(parts);
  const firstRow = parts.hasConductor ? 1 : 0;
  const { rows, staves } = placeInRows(parts.parts, placing.notes, firstRow);
  const notes = notesOf(parts, placing, rows, mode);
  const curves = curvesOf(parts, notes);
  return {
    mode,
    staves: [
      ...(parts.hasConductor ? [{ key: 'conductor', worker: null, name: 'Conductor', voice: 0 }] : []),
      ...staves.map(({ part, voice }) => staveOf(part, voice)),
    ],
    height: (firstRow + staves.length) * ROW,
    plans: plansOf(parts, placing),
    notes,
    omitted: parts.omitted,
    cues: cuesOf(parts, placing, notes),
    waits: waitsOf(parts, placing, notes),
    rounds: parts.rounds.map((round, index) => bracketOf(round, placing.rounds[index])),
    curves,
    dense: curves.length > 24,
    roundEnds: parts.roundEnds.map(({ round }, index) => ({ round, left: round2(placing.roundEnds[index] ?? 0) })),
    ticks: ticksOf(parts, placing),
    playhead: playheadOf(parts, placing),
    played: round2(placing.played),
  };
}

/** Whether the steps of a run are long enough to be distinguished on a time axis. */
export function readsInTime(run: Run): boolean {
  const times = run.rounds.flatMap((round) =>
    round.steps.flatMap(({ attempts }) => {
      const begin = attempts.find(({ leftAt }) => leftAt !== null)?.leftAt ?? null;
      const end = attempts.at(-1)?.endedAt ?? null;
      return begin !== null && end !== null ? [end - begin] : [];
    }),
  );
  return times.length < 2 || times.every((time) => time >= run.time * 0.015);
}

/** The mark of a step without a worker, for example in an imported plan whose worker isn't in the pool. */
const NO_WORKER = { mark: '?', colour: 0 } as const;

function staveOf(part: Part, voice: number): Stave {
  const name = part.worker?.name ?? 'No worker';
  return {
    key: `${part.worker?.id ?? ''}.${voice}`,
    worker: part.worker ?? NO_WORKER,
    name: voice === 0 ? name : `${name}, voice ${voice + 1}`,
    voice,
  };
}

/**
 * A position, in percent of the score's width. If the last note of a row starts to the right of it, the note's
 * label extends to the left on narrow screens.
 */
const FAR_RIGHT = 64;

function notesOf(parts: Parts, placing: Placing, rows: readonly number[], mode: ScoreMode): Note[] {
  return parts.parts.map((part, index) => {
    const { left, width } = placing.notes[index] ?? { left: 0, width: 0 };
    const row = rows[index] ?? 0;
    const lefts = parts.parts.flatMap((_, other) => (rows[other] === row ? (placing.notes[other]?.left ?? []) : []));
    const after = lefts.filter((other) => other > left);
    const next = Math.min(100, ...after);
    return {
      key: `${part.place.round}.${part.place.step}`,
      place: part.place,
      number: part.number,
      row,
      left: round2(left),
      width: round2(width),
      room: round2(next - left),
      beforeLast: after.length === 1 && next > FAR_RIGHT,
      state: part.state,
      look: lookOf(part, parts.ran),
      colour: part.byConductor ? 0 : (part.worker?.colour ?? 0),
      label: labelOf(part),
      detail: detailOf(part, parts.ran),
      name: nameOf(part),
      ...insideOf(part, mode),
    };
  });
}

/**
 * The label of a note. A step that has handed over has no label, because the label of the next plan is drawn at
 * the same place.
 */
function labelOf(part: Part): string {
  if (!part.byConductor) return roleLabel(part.step);
  return part.state === 'handed-over' ? '' : 'Hand over';
}

/** What is drawn within a note: its solid part (from the first token on), its failed attempts and its pauses. */
function insideOf(part: Part, mode: ScoreMode): Pick<Note, 'fullFrom' | 'failures' | 'pauses'> {
  if (part.begin === null || part.end === null) return { fullFrom: null, failures: [], pauses: [] };
  const { begin } = part;
  const length = Math.max(part.end - begin, 1);
  const share = (time: number) => round2(Math.min(100, Math.max(0, ((time - begin) / length) * 100)));
  const spanOf = ({ from, to }: { from: number; to: number }) => ({
    left: share(from),
    width: round2(share(to) - share(from)),
  });
  const failures = part.failures.map(spanOf);
  const pauses = part.pauses.filter(({ to }) => to > begin).map(spanOf);
  if (part.firstToken !== null) return { fullFrom: mode === 'time' ? share(part.firstToken) : 0, failures, pauses };
  const without = part.state === 'finished' || part.state === 'reused' || part.state === 'handed-over';
  return { fullFrom: without ? 0 : null, failures, pauses };
}

function lookOf(part: Part, ran: boolean): NoteLook {
  switch (part.state) {
    case 'planned':
      return ran ? 'ghost' : 'planned';
    case 'settled':
      return 'planned';
    case 'waiting':
      // Failed attempts stay visible while the step waits for the next one.
      return part.failures.length > 0 ? 'pale' : 'ghost';
    case 'not-run':
    case 'later':
      return 'ghost';
    case 'started':
    case 'retrying':
      return 'pale';
    case 'streaming':
      return 'live';
    case 'finished':
    case 'reused':
    case 'handed-over':
      return 'done';
    case 'failed':
      return 'failed';
    case 'stopped':
    case 'interrupted':
    case 'discarded':
      return 'halted';
    default:
      return part.state satisfies never;
  }
}

function plansOf(parts: Parts, placing: Placing): PlanBar[] {
  if (!parts.hasConductor) return [];
  return parts.planning.map((planning, index) => {
    const span = placing.plans[index] ?? { left: 0, width: 0 };
    return {
      key: String(planning.round),
      left: round2(span.left),
      width: round2(span.width),
      label: 'Plan',
      detail: planDetail(planning),
      state: planning.state,
    };
  });
}

/** Minimum width of a wait that is drawn, in percent of the score's width. */
const SHORTEST_WAIT = 0.8;

function cuesOf(parts: Parts, placing: Placing, notes: readonly Note[]): Cue[] {
  const { at } = placing;
  if (!at || !parts.hasConductor) return [];
  const present = parts.playhead ?? parts.until;
  return parts.parts.flatMap((part, index) => {
    const note = notes[index];
    if (!note || part.knownAt === null || part.knownAt > present || part.byConductor) return [];
    const left = round2(at(part.knownAt));
    const waits = note.left - left >= SHORTEST_WAIT;
    return [{ key: note.key, left, row: note.row, waitsTo: waits ? note.left : null }];
  });
}

/** The pauses of each step before its first call was sent. */
function waitsOf(parts: Parts, { at }: Placing, notes: readonly Note[]): WaitBar[] {
  if (!at) return [];
  return parts.parts.flatMap(({ begin, pauses }, index) => {
    const note = notes[index];
    const before = pauses.filter(({ to }) => begin === null || to <= begin);
    return before.flatMap(({ from, to }, place): WaitBar[] => {
      const [left, width] = [round2(at(from)), round2(at(to) - at(from))];
      return note && width >= SHORTEST_WAIT ? [{ key: `${note.key}.${place}`, row: note.row, left, width }] : [];
    });
  });
}

function bracketOf(span: RoundSpan, place: Span = { left: 0, width: 0 }): RoundBracket {
  const { label, name } = roundWords(span);
  return { round: span.round, left: round2(place.left), width: round2(place.width), label, name };
}

/** A score with an empty line for each worker, for a pool without a plan. */
export function emptyScore(pool: readonly PoolWorker[]): ScoreView {
  const workers = pool.filter((worker) => worker.kind !== 'conductor');
  const staves = [
    { key: 'conductor', worker: null, name: 'Conductor', voice: 0 },
    ...workers.map((worker) => ({ key: worker.id, worker, name: worker.name, voice: 0 })),
  ];
  const nothing = {
    plans: [],
    notes: [],
    omitted: 0,
    cues: [],
    waits: [],
    rounds: [],
    curves: [],
    roundEnds: [],
    ticks: [],
  };
  return { mode: 'order', staves, height: staves.length * ROW, ...nothing, dense: false, playhead: null, played: 100 };
}

/** Draws access: a curve from the end of a step to the start of each step that sees its output. */
function curvesOf(parts: Parts, notes: readonly Note[]): Curve[] {
  return parts.parts.flatMap((part, index) => {
    const to = notes[index];
    if (!to) return [];
    return part.sees.flatMap((seen) => {
      const from = notes[seen];
      if (!from) return [];
      const ghost = to.look === 'ghost' || from.look === 'ghost' || from.look === 'failed';
      return [{ key: `${from.key}-${to.key}`, path: pathOf(from, to, notes), colour: from.colour, ghost }];
    });
  });
}

/** The SVG path of a curve between two notes (steps). On a shared line, the curve passes below any notes between the two. */
function pathOf(from: Note, to: Note, notes: readonly Note[]): string {
  const x1 = round2(from.left + from.width);
  const x2 = round2(to.left + 0.2);
  const y1 = lineOf(from.row);
  const y2 = lineOf(to.row);
  const bend = Math.max(1.6, (x2 - x1) * 0.55);
  if (y1 !== y2) return `M${x1} ${y1}C${round2(x1 + bend)} ${y1} ${round2(x2 - bend)} ${y2} ${x2} ${y2}`;
  const between = notes.some((note) => note.row === from.row && note.left > from.left && note.left < to.left);
  if (!between) return `M${x1} ${y1}H${x2}`;
  return `M${x1} ${y1}C${round2(x1 + 1.6)} ${y1 + 16} ${round2(x2 - 1.6)} ${y1 + 16} ${x2} ${y2}`;
}
