/** A tool's definition for a model. The arrays are not readonly, so that it fits the types of the SDKs. */
export interface ToolDefinition {
  name: string;
  description: string;
  input_schema: ObjectSchema;
}

export interface ObjectSchema {
  type: "object";
  properties: Record<string, unknown>;
  required?: string[];
  additionalProperties?: boolean;
  [keyword: string]: unknown;
}
