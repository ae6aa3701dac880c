/** The disk of the temporary files is full or fails. The message is a sentence for the user. */
export class StagingFailed extends Error {
  override readonly name = 'StagingFailed';
}
