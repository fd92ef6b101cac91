import { expect, test } from 'vitest';
import { DRAW_EVERY, Redraw } from '../../../src/app/state/redraw';
import { HandFrames } from '../hand-frames';

function stage() {
  const frames = new HandFrames();
  const drawn: number[] = [];
  return { frames, drawn, redraw: new Redraw(frames, () => drawn.push(frames.time)) };
}

test('draws once for all requests within 50 ms', () => {
  const { frames, drawn, redraw } = stage();
  redraw.request();
  frames.draw(DRAW_EVERY - 1);
  redraw.request();
  expect(drawn).toEqual([]);
  frames.draw(1);
  expect(drawn).toEqual([DRAW_EVERY]);
  expect(frames.hasPending).toBe(false);
});

test('draws in the next frame if the last drawing was more than 50 ms ago', () => {
  const { frames, drawn, redraw } = stage();
  frames.draw(10 * DRAW_EVERY);
  redraw.request();
  frames.draw(16);
  expect(drawn).toEqual([10 * DRAW_EVERY + 16]);
});

test('does not draw after it is closed', () => {
  const { frames, drawn, redraw } = stage();
  redraw.request();
  redraw.close();
  redraw.request();
  expect(frames.hasPending).toBe(false);
  frames.draw(DRAW_EVERY);
  expect(drawn).toEqual([]);
});
