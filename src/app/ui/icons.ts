/** @file The SVG paths of all icons, on a grid of 16 × 16 units. */

export const ICONS = {
  check: 'm3 8.5 3.3 3.3L13 5',
  cross: 'm4 4 8 8M12 4l-8 8',
  warning: 'M8 2 1.8 13h12.4zM8 6.5v3M8 11.2v.1',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  play: 'M5 3.2v9.6L12.5 8z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M4.5 4.5h7v7h-7z',
  'chevron-down': 'm4 6.2 4 4 4-4',
  'chevron-left': 'M10 3.5 5.5 8l4.5 4.5',
  'chevron-right': 'M6 3.5 10.5 8 6 12.5',
  up: 'M8 13V3.5M4 7.3l4-4 4 4',
  down: 'M8 3v9.5M4 8.7l4 4 4-4',
  plus: 'M8 3v10M3 8h10',
  bin: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5 5.2 13h5.6l.7-8.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4 14 14',
  fork: 'M4.5 3v10M4.5 9.5c4 0 7-1 7-4.5M4.5 3h0M11.5 5V3.5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.2l2 1.4',
  chip: 'M4 4h8v8H4zM6 1.5V4M10 1.5V4M6 12v2.5M10 12v2.5M1.5 6H4M1.5 10H4M12 6h2.5M12 10h2.5',
  clip: 'm13 7.5-5.2 5.2a3.3 3.3 0 0 1-4.6-4.6l5.6-5.7a2.2 2.2 0 0 1 3.1 3.1l-5.4 5.4a1.1 1.1 0 0 1-1.6-1.6L9.8 4.5',
  pencil: 'm3 13 .7-3L10.8 3l2.2 2.2L6 12.3z',
  star: 'M8 2l1.8 3.8 4.1.5-3 2.9.7 4.1L8 11.3l-3.6 2 .7-4.1-3-2.9 4.1-.5z',
  starred: 'M8 2l1.8 3.8 4.1.5-3 2.9.7 4.1L8 11.3l-3.6 2 .7-4.1-3-2.9 4.1-.5z',
  more: 'M3 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M7.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M12 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0',
} as const satisfies Record<string, string>;

export type IconName = keyof typeof ICONS;

/** Icons that are filled instead of stroked. */
export const SOLID: ReadonlySet<IconName> = new Set(['play', 'stop', 'starred']);
