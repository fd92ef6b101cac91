import { expect, it, vi } from 'vitest';
import { silence } from '../../../src/platform/sandbox/runtime/limits';

it('disables all own and inherited methods of a console, and keeps its other properties', () => {
  const write = vi.fn();
  class Base {
    log = write;
    inherited(): void {
      write();
    }
  }
  const key = Symbol('hidden');
  const target = Object.assign(new Base(), { error: write, [key]: write, memory: 7 });
  const { memory } = target;
  silence(target);
  for (const method of ['log', 'error', 'inherited', key] as const) target[method]('x'.repeat(100));
  expect(write).not.toHaveBeenCalled();
  expect(target.memory).toBe(memory);
});
