// pdf.js has no types for this file, which is only imported for its side effect.
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs';
