import { ValidateNested } from "class-validator";
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import type { ApiKey, ApiKeyRole } from "../../access/access.entity";
import { createApiKey, listApiKeys, revokeApiKey } from "../../access/api-keys";
import { decodeId, encodeId } from "../../shared/ids";
import { NodeType } from "../basic.types";
import type { Context } from "../context";
import { ApiKeyRoleEnum } from "../enums";
import { IsReference } from "../rules";
import { DateTimeScalar } from "../scalars";

/** The fields that are columns of the entity; the id is the resolver's. */
@ObjectType("ApiKey", {
  implements: NodeType,
  description: "A credential of the merchant's servers or people. Its secret is kept nowhere.",
})
class ApiKeyType
  extends NodeType
  implements Pick<ApiKey, "name" | "role" | "prefix" | "createdAt" | "lastUsedAt" | "revokedAt">
{
  @Field(() => String, { description: "What it is called, for people." })
  name!: string;

  @Field(() => ApiKeyRoleEnum, { description: "What its holder may do." })
  role!: ApiKeyRole;

  @Field(() => String, { description: "The secret's first characters, to tell keys apart." })
  prefix!: string;

  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it was last used, to the minute; null where never.",
  })
  lastUsedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it was revoked: no request after that is taken. Null while it works.",
  })
  revokedAt!: Date | null;
}

/** See its description. */
@InputType("CreateApiKeyInput", { description: "A key to make." })
class CreateApiKeyInput {
  @Field(() => String, {
    description: "What it is to be called, for people: 1 to 100 bytes of UTF-8 without control characters.",
  })
  @IsReference()
  name!: string;

  @Field(() => ApiKeyRoleEnum, { description: "What its holder may do." })
  role!: ApiKeyRole;
}

/** The arguments of createApiKey. */
@ArgsType()
class CreateApiKeyArgs {
  @Field(() => CreateApiKeyInput, { description: "What to make." })
  @ValidateNested()
  input!: CreateApiKeyInput;
}

/** See its description. */
@ObjectType("CreateApiKeyPayload", { description: "What createApiKey answers." })
class CreateApiKeyPayload {
  @Field(() => ApiKeyType, { description: "The new key." })
  apiKey!: ApiKey;

  @Field(() => String, {
    description: "What to send as `Authorization: Bearer …`. Shown this once: only its hash is kept.",
  })
  secret!: string;
}

/** See its description. */
@ObjectType("RevokeApiKeyPayload", { description: "What revokeApiKey answers." })
class RevokeApiKeyPayload {
  @Field(() => ApiKeyType, { description: "The key, which has ended." })
  apiKey!: ApiKey;
}

/** API keys: the way in. */
@Resolver(() => ApiKeyType)
export class ApiKeyResolver {
  @Query(() => [ApiKeyType], {
    description: "All API keys of the merchant, newest first, revoked ones too. For the role ADMIN.",
  })
  apiKeys(@Ctx() { read }: Context): Promise<ApiKey[]> {
    return read("manageKeys", listApiKeys);
  }

  @Mutation(() => CreateApiKeyPayload, {
    nullable: true,
    description: "Makes an API key. Each call makes another one. For the role ADMIN.",
  })
  async createApiKey(
    @Args() { input }: CreateApiKeyArgs,
    @Ctx() { app, caller }: Context,
  ): Promise<CreateApiKeyPayload> {
    return createApiKey(app.db, await caller(), input);
  }

  @Mutation(() => RevokeApiKeyPayload, {
    nullable: true,
    description:
      "Ends an API key at once, in every process; what it has begun goes on. Once more changes nothing. For the role ADMIN.",
  })
  async revokeApiKey(
    @Arg("id", () => ID, { description: "The key's id: key_…" }) id: string,
    @Ctx() { app, caller }: Context,
  ): Promise<RevokeApiKeyPayload> {
    return { apiKey: await revokeApiKey(app.db, await caller(), decodeId("key", id)) };
  }

  @FieldResolver(() => ID, { description: "Its public id: key_…" })
  id(@Root() { id }: ApiKey): string {
    return encodeId("key", id);
  }
}
