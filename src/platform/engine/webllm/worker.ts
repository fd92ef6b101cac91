/** @file The entry of WebLLM's Web Worker, which is started when a model is loaded. */
import { launch } from './launch';
import { serve } from './serve';

serve(self, launch);
