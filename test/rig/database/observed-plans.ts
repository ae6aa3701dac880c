import type { Plan } from './list-plans.ts';
import { noticesDuring } from './notices.ts';

/** A statement as a connection sent it, with the plan that its server used. */
export interface ObservedPlan {
  text: string;
  plan: Plan;
  /** The planner's settings of the connection that are not the defaults. */
  settings: Readonly<Record<string, string>>;
}

/** Makes a database send each session the plans of its statements, as notices. */
export const SEND_PLANS: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_settings': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Collects the plans that servers send to the connections of this process while work is done. */
export async function plansDuring(work: () => Promise<void>): Promise<ObservedPlan[]> {
  const notices = await noticesDuring(work);
  return notices
    .flatMap(({ message }) => /\{.*\}/s.exec(message)?.[0] ?? [])
    .map((text) => {
      const { 'Query Text': sent, Plan: plan, Settings: settings = {} } = JSON.parse(text);
      return { text: sent, plan, settings };
    });
}
