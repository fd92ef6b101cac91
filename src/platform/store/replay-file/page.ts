/**
 * @file Writes the HTML before and after the runs of a replay file, and the element of each run.
 * The file's Content Security Policy allows only its own script, its own style and `data:` images.
 */
import { REPLAY_INDEX, REPLAY_ROOT, REPLAY_RUN, type ReplayViewer } from '../../../core/contract';

/** @param base64 the gzipped JSON of a run */
export function runTemplate(base64: string): string {
  return `<template class="${REPLAY_RUN}">${base64}</template>\n`;
}

export function pageStart({ style, scriptHash, styleHash }: ReplayViewer): string {
  const policy = [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html',
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Podium replay</title>
<style>${style}</style>
</head>
<body>
<div id="${REPLAY_ROOT}"></div>
<noscript>This file replays runs of Podium and needs JavaScript. It loads nothing from the network.</noscript>
`;
}

/** @param index base64 of the gzipped index */
export function pageEnd(index: string, { script }: ReplayViewer): string {
  return `<template id="${REPLAY_INDEX}">${index}</template>
<script>${script}</script>
</body>
</html>
`;
}
