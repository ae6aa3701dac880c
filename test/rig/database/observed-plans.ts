import pg from 'pg';
import type { Plan } from './list-plans.ts';

/** A statement as a connection sent it, with the plan that its server used. */
export interface ObservedPlan {
  text: string;
  plan: Plan;
}

/** Makes a database send each session the plans of its statements, as notices. */
export const SEND_PLANS: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Collects the plans that servers send to the connections of this process while work is done. */
export async function plansDuring(work: () => Promise<void>): Promise<ObservedPlan[]> {
  const plans: ObservedPlan[] = [];
  const prototype = pg.Client.prototype as unknown as {
    emit(event: string, ...values: unknown[]): boolean;
  };
  const { emit } = prototype;
  prototype.emit = function (event, ...values) {
    const [text = ''] =
      event === 'notice' ? (/\{.*\}/s.exec((values[0] as { message: string }).message) ?? []) : [];
    if (text !== '') {
      const { 'Query Text': sent, Plan: plan } = JSON.parse(text);
      plans.push({ text: sent, plan });
    }
    return emit.call(this, event, ...values);
  };
  try {
    await work();
  } finally {
    prototype.emit = emit;
  }
  return plans;
}
