/** @file Reads the colors of the current theme, for pictures that must not depend on the page's style sheet. */
import type { ScorePalette } from './svg-parts';

const WORKER_COLOURS = 9;

export function readPalette(): ScorePalette {
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
