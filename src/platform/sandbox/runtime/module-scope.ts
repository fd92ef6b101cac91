/**
 * @file Prepares the global scope before Pyodide is imported. Pyodide calls `importScripts` to detect a classic Worker, and
 * refuses to load there. The frame's policy blocks this call as well, but the browser would log the blocked call.
 */
import { silence, removeFromScope } from './limits';

removeFromScope('importScripts');
silence(console);
