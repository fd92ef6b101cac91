/**
 * @file Prepares the global scope before Pyodide is imported. Pyodide calls `importScripts` to detect a classic Web Worker. The
 * content security policy of the frame would block this call, but the browser would log it. So `importScripts` is removed.
 */
import { silence, removeFromScope } from './limits';

removeFromScope('importScripts');
silence(console);
