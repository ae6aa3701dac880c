/** What an error code means. The responses, the error pages and the OpenAPI documents use these texts. */
export interface ProblemKind {
  status: number;
  title: string;
  cause: string;
  solution: string;
}
