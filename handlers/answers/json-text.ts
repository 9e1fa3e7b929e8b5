/** The finished JSON body of an answer with status 200. @typeParam Answer what it contains, by the contract */
export class JsonText<Answer> {
  readonly bytes: Buffer;
  /** Only for the compiler. */
  declare protected readonly answer: Answer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
