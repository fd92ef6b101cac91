/** @file Draws access: a curve from the end of a step to the start of each step that sees its output. */
import { lineOf, type Curve, type Note } from './drawing';
import type { Parts } from './parts';
import { round2 } from './place';

export function curvesOf(parts: Parts, notes: readonly Note[]): Curve[] {
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
