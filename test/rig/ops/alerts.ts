import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; action: string };
}

export const ALERTS_FILE = new URL('../../../release/ops/alerts.yml', import.meta.url);

export function readAlerts(): Alert[] {
  const { groups } = parse(readFileSync(ALERTS_FILE, 'utf8')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}
