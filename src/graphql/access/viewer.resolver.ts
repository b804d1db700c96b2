import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from "type-graphql";
import { Merchant, type ApiKeyRole } from "../../access/access.entity";
import { findApiKey } from "../../access/api-keys";
import type { Caller } from "../../access/caller";
import { findOperation } from "../../idempotency/find-operations";
import { findEvent, findRefund } from "../../payments/find-life";
import { findPayment } from "../../payments/find-payments";
import { decodeId, encodeId, prefixOf } from "../../shared/ids";
import { NodeType } from "../basic.types";
import type { Context } from "../context";
import { ApiKeyRoleEnum, CredentialKindEnum } from "../enums";

/** See its description. */
@ObjectType("Merchant", {
  implements: NodeType,
  description: "The tenant: owns keys, payments and accounts.",
})
class MerchantType extends NodeType {
  @Field(() => String, { description: "Its name." })
  name!: string;
}

/** See its description. */
@ObjectType("Viewer", { description: "Who asks." })
class ViewerType implements Pick<Caller, "kind" | "role"> {
  @Field(() => ApiKeyRoleEnum, {
    nullable: true,
    description: "The API key's role; null for a client session.",
  })
  role!: ApiKeyRole;

  @Field(() => CredentialKindEnum, { description: "What kind of credential was sent." })
  kind!: Caller["kind"];
}

/** Who asks, and what any id names. */
@Resolver(() => ViewerType)
export class ViewerResolver {
  @Query(() => ViewerType, {
    description: "Who asks: the merchant and the role of the credential that was sent.",
  })
  viewer(@Ctx() { caller }: Context): Promise<Caller> {
    return caller();
  }

  @Query(() => NodeType, {
    nullable: true,
    description: "Whatever of the merchant's an id names; null where nothing.",
  })
  async node(
    @Arg("id", () => ID, { description: "A public id." }) id: string,
    @Ctx() { read }: Context,
  ): Promise<object | null> {
    const prefix = prefixOf(id);
    const uuid = prefix && decodeId(prefix, id);
    if (prefix === "key") return read("manageKeys", (reader) => findApiKey(reader, uuid));
    return read("readPayments", async (reader) => {
      if (!uuid) return null;
      if (prefix === "pay") return findPayment(reader, { id: uuid });
      if (prefix === "op") return findOperation(reader, { id: uuid });
      if (prefix === "re") return findRefund(reader, uuid);
      if (prefix === "evt") return findEvent(reader, uuid);
      const isOwn = prefix === "mer" && uuid === reader.merchantId;
      return isOwn ? reader.manager.findOneBy(Merchant, { id: uuid }) : null;
    });
  }

  @FieldResolver(() => MerchantType, { description: "For which merchant." })
  merchant(@Root() { merchantId }: Caller, @Ctx() { read }: Context): Promise<Merchant> {
    return read("readPayments", (reader) => reader.manager.findOneByOrFail(Merchant, { id: merchantId }));
  }
}

/** A merchant's public id. */
@Resolver(() => MerchantType)
export class MerchantResolver {
  @FieldResolver(() => ID, { description: "Its public id: mer_…" })
  id(@Root() { id }: Merchant): string {
    return encodeId("mer", id);
  }
}
