/** @file Saves the score of a run as an SVG or PNG file. */
import { isRecorded, isSimulated, type Run } from '../../core/contract';
import { scoreSvg } from '../score/score-svg';
import type { ScorePalette } from '../score/svg-parts';
import { readsInTime, scoreOf } from '../score/view';
import { runCostWord } from '../shared/run-cost-word';
import { chooseTarget, dateInName } from '../state/save-file';
import { duration, plural } from '../ui/figures';
import { pngOf } from '../ui/plots/save-plot';

/** Asks where to save, and writes the picture. Rejects with a `FaultError` if the browser can't make a PNG. */
export async function savePicture(run: Run, format: 'svg' | 'png'): Promise<void> {
  const view = scoreOf(run, { mode: readsInTime(run) ? 'time' : 'order' });
  const facts = `${run.conductor.label} · ${plural(view.notes.length + view.omitted, 'step')} · ${duration(run.time)} · ${runCostWord({ id: run.id, ...run.spent })}`;
  const tag = isSimulated(run) ? 'simulated' : isRecorded(run) ? 'recorded' : '';
  const drawing = scoreSvg({ view, title: run.question.text, facts, tag }, readPalette());
  const picture = format === 'svg' ? new Blob([drawing.text], { type: 'image/svg+xml' }) : await pngOf(drawing);
  const target = await chooseTarget(`podium-score-${dateInName(Date.now())}.${format}`);
  await target?.write(picture.stream(), new AbortController().signal);
}

const WORKER_COLOURS = 9;

/** The colors of the current theme, because the page's style sheet doesn't apply to the picture. */
function readPalette(): ScorePalette {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  try {
    const [page, ink] = [colour('page'), colour('ink')];
    const workers = Array.from({ length: WORKER_COLOURS }, (_, index) => ({
      fill: colour(`w${index + 1}`),
      on: colour(`w${index + 1}-on`),
    }));
    return {
      page,
      ink,
      ink2: colour('ink-2'),
      ink3: colour('ink-3'),
      line: colour('line'),
      lineStrong: colour('line-strong'),
      accent: colour('accent'),
      warn: colour('warn'),
      bad: colour('bad'),
      workers: [{ fill: ink, on: page }, ...workers],
    };
  } finally {
    probe.remove();
  }
}
