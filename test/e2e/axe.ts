/**
 * @file Checks a state of the page with axe (an accessibility checker) in several views, without a
 * reload. The views differ in size, color scheme, forced colors and reduced motion. In each view,
 * nothing may be wider than the page, and each plot must have a table.
 */
import { expect, type Page, type TestInfo } from '@playwright/test';
import axe from 'axe-core';
import { recordAxe } from './axe-table';

export interface View {
  /**
   * CSS px. Zoom divides the size: a window of 1280 × 1024 px has 640 × 512 at 200 %, and 320 × 256
   * at 400 %.
   */
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  readonly forcedColors: 'active' | 'none';
  readonly reducedMotion: 'reduce' | 'no-preference';
}

const SIZES: readonly (readonly [width: number, height: number])[] = [
  [320, 256],
  [640, 512],
  [390, 844],
  [1280, 800],
  [3840, 2160],
];
/**
 * Whether dark colors, forced colors and reduced motion are on in the first set of views, for each size. The
 * second set has the opposite values.
 */
const SWITCHES: readonly (readonly [boolean, boolean, boolean])[] = [
  [false, false, false],
  [true, false, true],
  [false, true, true],
  [true, true, false],
  [false, false, true],
];

/** Number of views of each state in which axe checks all its rules. The other views are only checked for overflows and tables. */
const WHOLE_CHECKS = 2;

/**
 * Two sets of views. Each set has every size once and both values of every media feature. Together,
 * the two sets contain every pair of values of two features.
 */
export const VIEW_SETS: readonly [readonly View[], readonly View[]] = [viewSet(false), viewSet(true)];

function viewSet(isOther: boolean): readonly View[] {
  return SIZES.map(([width, height], index) => {
    const [dark, forced, reduced] = (SWITCHES[index] ?? []).map((each) => each !== isOther);
    return {
      width,
      height,
      colorScheme: dark ? 'dark' : 'light',
      forcedColors: forced ? 'active' : 'none',
      reducedMotion: reduced ? 'reduce' : 'no-preference',
    };
  });
}

/**
 * Checks states of the page during one test. The states alternate between the two sets of views, and axe runs in other views
 * each time, so that it runs in all of them.
 */
export class AxeCheck {
  readonly #page: Page;
  readonly #info: TestInfo;
  #states = 0;

  constructor(page: Page, info: TestInfo) {
    this.#page = page;
    this.#info = info;
  }

  /**
   * Checks one state. A violation, an overflow or a plot without a table fails the test, but the
   * test continues. Restores the size of the page and the default media features.
   */
  async check(state: string): Promise<void> {
    const page = this.#page;
    const size = page.viewportSize();
    const turn = this.#states;
    const views = VIEW_SETS[turn % 2 === 0 ? 0 : 1];
    this.#states += 1;
    const problems: string[] = [];
    let rules = 0;
    let undecided = 0;
    for (const [index, view] of views.entries()) {
      const { width, height, ...media } = view;
      await page.setViewportSize({ width, height });
      await page.emulateMedia(media);
      const isWhole = (index + views.length - (turn % views.length)) % views.length < WHOLE_CHECKS;
      const found = await lookAt(page, isWhole);
      rules += found.rules;
      undecided += found.undecided;
      problems.push(...found.problems.map((each) => `${nameOf(view)}: ${each}`));
    }
    if (size) await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
    recordAxe(this.#info, { state, views: views.length, rules, undecided, problems: problems.length });
    expect.soft(problems, state).toEqual([]);
  }
}

function nameOf({ width, height, colorScheme, forcedColors, reducedMotion }: View): string {
  const more = [
    forcedColors === 'active' ? ', forced colors' : '',
    reducedMotion === 'reduce' ? ', reduced motion' : '',
  ];
  return `${width} × ${height}, ${colorScheme}${more.join('')}`;
}

/** @param isWhole whether axe checks all its rules */
async function lookAt(page: Page, isWhole: boolean): Promise<{ problems: string[]; rules: number; undecided: number }> {
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(axe.source);
  return page.evaluate(async (isWhole) => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
    // Finishes the transitions of the new view, so that axe checks no color between two values.
    for (const each of document.getAnimations()) {
      if (each.effect?.getComputedTiming().endTime !== Infinity) each.finish();
    }
    const root = document.documentElement;
    const over = () => root.scrollWidth - root.clientWidth;
    // The drawing of a live run (the score) adapts to the new width a few frames later.
    for (let frames = 0; frames < 100 && over() > 0; frames++) await frame();
    const none = { violations: [], passes: [], incomplete: [] };
    const { violations, passes, incomplete } = isWhole
      ? await axe.run(document, { resultTypes: ['violations'] })
      : none;
    const problems = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
    if (over() > 0) {
      const wide = Array.from(document.querySelectorAll('body *')).filter(
        (each) => each.getBoundingClientRect().right > root.clientWidth + 0.1,
      );
      const elements = wide.map((each) => each.outerHTML.slice(0, 160)).slice(-5);
      problems.push(`${over()} px wider than the page: ${elements.join(' | ')}`);
    }
    for (const figure of document.querySelectorAll('figure:has(svg)')) {
      const isToggled = figure.querySelector('button[aria-label^="Show as a table"]') !== null;
      const tables = figure.closest('section')?.querySelectorAll('details table') ?? [];
      if (!isToggled && tables.length === 0) problems.push(`no table: ${figure.textContent.trim().slice(0, 80)}`);
    }
    return {
      problems,
      rules: violations.length + passes.length + incomplete.length,
      undecided: incomplete.length,
    };
  }, isWhole);
}
