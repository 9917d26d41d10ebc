/**
 * The part of AssemblyScript's compiler that the build uses. The package's own types declare globals of its dialect, such as
 * another `console`.
 */
interface CompilerOptions {
  readonly baseDir: string;
  readonly stderr: { write(text: string): void };
  readFile(name: string): string | null;
  writeFile(name: string, content: Uint8Array | string): void;
  listFiles(): string[];
}

declare const compiler: {
  main(args: readonly string[], options: CompilerOptions): Promise<{ readonly error: Error | null }>;
};
export default compiler;
