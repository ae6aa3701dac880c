import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);
