/** What the extension uses of the browser's interface for extensions. */
declare namespace chrome {
  interface Event<Listener> {
    addListener(listener: Listener): void;
  }
  namespace devtools {
    namespace panels {
      const themeName: string;
      function create(title: string, icon: string, page: string): void;
    }
    namespace inspectedWindow {
      interface Resource {
        readonly url: string;
        readonly type?: string;
        getContent(got: (text: string | undefined) => void): void;
      }
      const tabId: number;
      function getResources(got: (resources: Resource[]) => void): void;
      /** The script runs in each frame of the page, before the page's own, once. */
      function reload(options: { readonly injectedScript?: string }): void;
    }
  }
  namespace runtime {
    interface Sender {
      readonly tab?: { readonly id?: number };
      readonly frameId?: number;
    }
    interface Port {
      readonly onMessage: Event<(message: unknown) => void>;
      readonly onDisconnect: Event<() => void>;
      postMessage(message: unknown): void;
      disconnect(): void;
    }
    const onMessage: Event<(message: unknown, sender: Sender, answer: (answer: unknown) => void) => void>;
    const onConnect: Event<(port: Port) => void>;
    function sendMessage(message: unknown): Promise<unknown>;
  }
  namespace tabs {
    function connect(tab: number, options: { readonly frameId: number }): runtime.Port;
    function sendMessage(tab: number, message: unknown): Promise<unknown>;
  }
}
