/** Where the fields of an issue come from; each is asked for only when nothing that goes before it has an answer. */
export interface IssueFieldsSource {
  /**
   * @output the issue's `base_branch`; undefined where it has none
   * @error  ExecutionError where it can't be known
   */
  baseBranch(): string | undefined;
  /** The `Target Branch` of a project that the issue is in; the rest as above. */
  targetBranch(): string | undefined;
}

/** For a run that is about no issue, or where nothing can be asked. */
export const NO_FIELDS: IssueFieldsSource = { baseBranch: () => undefined, targetBranch: () => undefined };
