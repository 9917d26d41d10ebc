/** What is used of WebAssembly: Node has it, but its types stand in TypeScript's library for browsers alone. */
export {};

declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }
    class Instance {
      constructor(module: Module, imports?: object);
      readonly exports: Readonly<Record<string, unknown>>;
    }
    class Memory {
      readonly buffer: ArrayBuffer;
      grow(pages: number): number;
    }
  }
}
