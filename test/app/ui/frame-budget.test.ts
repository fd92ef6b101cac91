import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FrameBudget } from '../../../src/app/ui/frame-budget';

describe('a frame budget', () => {
  let callbacks: (() => void)[] = [];
  const frame = () => {
    for (const callback of callbacks.splice(0)) callback();
  };

  beforeEach(() => {
    callbacks = [];
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => callbacks.push(callback));
  });
  afterEach(() => vi.unstubAllGlobals());

  function request(budget: FrameBudget, names: string, rendered: string[]): (() => void)[] {
    return [...names].map((name) => budget.request(() => rendered.push(name)));
  }

  it('renders the given number of parts per frame, in the order of their requests', () => {
    const rendered: string[] = [];
    request(new FrameBudget(2), 'abcde', rendered);
    const perFrame = Array.from({ length: 5 }, () => {
      frame();
      return rendered.join('');
    });
    expect(perFrame).toEqual(['', 'ab', 'abcd', 'abcde', 'abcde']);
    expect(callbacks).toEqual([]);
  });

  it('does not render a part in the first frame after its request', () => {
    const rendered: string[] = [];
    const budget = new FrameBudget(2);
    request(budget, 'abc', rendered);
    frame();
    request(budget, 'd', rendered);
    frame();
    expect(rendered).toEqual(['a', 'b']);
    frame();
    expect(rendered).toEqual(['a', 'b', 'c', 'd']);
  });

  it('skips a cancelled part, and renders the next part in the same frame', () => {
    const rendered: string[] = [];
    const budget = new FrameBudget(2);
    const [cancelFirst] = request(budget, 'abc', rendered);
    cancelFirst?.();
    frame();
    const [cancelLast] = request(budget, 'd', rendered);
    frame();
    cancelLast?.();
    frame();
    expect(rendered).toEqual(['b', 'c']);
  });

  it('requests no frame while no part is waiting', () => {
    const rendered: string[] = [];
    const budget = new FrameBudget(2);
    expect(callbacks).toEqual([]);
    request(budget, 'a', rendered);
    frame();
    frame();
    expect(callbacks).toEqual([]);
    request(budget, 'b', rendered);
    frame();
    frame();
    expect(rendered).toEqual(['a', 'b']);
  });
});
