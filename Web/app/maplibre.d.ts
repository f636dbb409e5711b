// The little of MapLibre GL JS 5 that this page uses.
declare namespace maplibregl {
  type LngLatLike = [number, number];
  interface Padding { top: number; right: number; bottom: number; left: number }
  class LngLatBounds {
    constructor();
    extend(point: LngLatLike): this;
    isEmpty(): boolean;
  }
  interface GeoJSONSource {
    setData(data: object): void;
    updateData(diff: { add?: object[]; update?: object[]; remove?: string[] }): void;
  }
  class Map {
    constructor(options: Record<string, unknown>);
    on(event: string, listener: (event: any) => void): this;
    on(event: string, layer: string, listener: (event: any) => void): this;
    once(event: string, listener: (event: any) => void): this;
    getSource(id: string): GeoJSONSource | undefined;
    addSource(id: string, source: object): void;
    addLayer(layer: object, before?: string): void;
    setLayoutProperty(layer: string, property: string, value: unknown): void;
    setStyle(style: object, options?: object): void;
    addImage(id: string, image: ImageData, options?: { pixelRatio: number }): void;
    hasImage(id: string): boolean;
    addControl(control: object, position?: string): void;
    fitBounds(bounds: LngLatBounds, options?: object): void;
    cameraForBounds(bounds: LngLatBounds, options?: object): { zoom: number } | undefined;
    easeTo(options: object): void;
    zoomIn(): void;
    zoomOut(): void;
    getZoom(): number;
    getCenter(): { lng: number; lat: number };
    getCanvas(): HTMLCanvasElement;
    getCanvasContainer(): HTMLElement;
    getContainer(): HTMLElement;
    queryRenderedFeatures(point: unknown, options?: object): { layer: { id: string }; properties: Record<string, any> }[];
    unproject(point: [number, number]): { lng: number; lat: number };
    project(point: LngLatLike): { x: number; y: number };
    setPadding(padding: Padding): void;
    isStyleLoaded(): boolean;
    resize(): void;
    remove(): void;
  }
  class AttributionControl { constructor(options?: object) }
  class NavigationControl { constructor(options?: object) }
  class ScaleControl { constructor(options?: object) }
  class Marker {
    constructor(options?: object);
    setLngLat(point: LngLatLike): this;
    addTo(map: Map): this;
    remove(): this;
  }
  /** What a label from right to left is written with. */
  function setRTLTextPlugin(address: string, isDeferred: boolean): Promise<void>;
  function getRTLTextPluginStatus(): string;
  class Popup {
    constructor(options?: object);
    options: { anchor?: string };
    getElement(): HTMLElement;
    setLngLat(point: LngLatLike): this;
    setDOMContent(node: Node): this;
    addTo(map: Map): this;
    remove(): this;
    on(event: string, listener: () => void): this;
    setOffset(offset: number | Record<string, number[]>): this;
    isOpen(): boolean;
  }
}
interface Window { maplibregl?: typeof maplibregl }
