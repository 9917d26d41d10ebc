/** The parts of WebAssembly that are used. Node has it, but TypeScript declares it for browsers alone. */
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
