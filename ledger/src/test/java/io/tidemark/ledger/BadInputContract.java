// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Employment;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users get wrong: an error that names it, and head and queue as they were. */
interface BadInputContract {

  LedgerFixture fixture();

  private Session customers() {
    Ledger ledger = fixture().init();
    Session session = ledger.session(RecordType.of(Customer.class), RecordType.of(Product.class));
    session.ensure(Customer.of("good", 1));
    return session;
  }

  /** That something is refused with these words, and what was queued before can be committed. */
  private static void refused(Session session, ThrowingCallable call, String... words) {
    long queued = session.queued();
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            InvalidValueException.class, e -> assertThat(e.code()).isEqualTo("invalid-value"))
        .hasMessageContainingAll(words);
    assertThat(session.queued()).isEqualTo(queued);
    assertThat(session.ledger().log().head()).isEmpty();
    assertThat(session.commit().orElseThrow().operations()).isEqualTo(queued);
    session.close();
  }

  private static ObjectNode customer(String id) {
    return CanonicalJson.object()
        .put("id", id)
        .put("name", "n")
        .put("age", 1)
        .put("tier", "t")
        .put("active", true);
  }

  @Test
  default void b15_whatIsNoRecordCantBeAsserted() {
    Session session = customers();
    refused(session, () -> session.ensure("text"), "String", "text", "@Entity");
  }

  @Test
  default void b15_norCanANumber() {
    Session session = customers();
    refused(session, () -> session.ensure(123), "Integer", "123", "@Entity");
  }

  @Test
  default void b15_whatComesBeforeABadItemStaysQueued() {
    Session session = customers();
    assertThatThrownBy(
            () -> session.ensure(List.of(Customer.of("c2", 1), "bad", Customer.of("c3", 1))))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("bad");
    assertThat(session.queued()).isEqualTo(2);
    session.close();
  }

  @Test
  default void aTypeThatIsNotDeclaredIsNamedWithThoseThatAre() {
    Session session = customers();
    refused(
        session,
        () -> session.ensure(new Employment("p", "c", "s", "r", "2020")),
        "relation:Employment isn't declared",
        "entity:Customer",
        "entity:Product");
  }

  /** Another type of the same name as one that is declared. */
  @Entity(name = "Customer")
  record OtherCustomer(@Key String id, String colour) {}

  @Test
  default void aRecordOfTheSameNameAndOtherFieldsIsNotTheDeclaredType() {
    Session session = customers();
    refused(
        session,
        () -> session.ensure(new OtherCustomer("c1", "red")),
        "entity:Customer",
        "colour",
        "declare");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "\t\n"})
  default void aBlankKeyIsRefused(String key) {
    Session session = customers();
    refused(
        session, () -> session.ensure(Customer.of(key, 1)), "entity:Customer", "key id", "blank");
  }

  @Test
  default void aMissingKeyIsRefused() {
    Session session = customers();
    ObjectNode fields = customer("x");
    fields.remove("id");
    refused(
        session,
        () -> session.ensure(Models.CUSTOMER, fields),
        "entity:Customer",
        "key id is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  default void b8_aBlankInstanceKeyIsRefused(String stint) {
    Ledger ledger = fixture().init();
    try (Session session = ledger.session(RecordType.of(Employment.class))) {
      assertThatThrownBy(() -> session.ensure(new Employment("p", "c", stint, "r", "2020")))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContainingAll("relation:Employment", "(p, c", "stint_id", "blank");
      assertThatThrownBy(
              () ->
                  session.ensure(
                      Models.EMPLOYMENT,
                      new RelationKey("p", "", "s"),
                      CanonicalJson.object().put("role", "r").put("started_at", "")))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContainingAll("relation:Employment", "right end", "blank");
      assertThat(session.queued()).isZero();
    }
  }

  @Test
  default void aFieldThatIsMissingIsNamed() {
    Session session = customers();
    ObjectNode fields = customer("c1");
    fields.remove("age");
    refused(
        session,
        () -> session.ensure(Models.CUSTOMER, fields),
        "entity:Customer c1",
        "age",
        "missing");
  }

  @Test
  default void aFieldThatTheTypeHasNotIsNamed() {
    Session session = customers();
    refused(
        session,
        () -> session.ensure(Models.CUSTOMER, customer("c1").put("agee", 5)),
        "entity:Customer c1",
        "agee",
        "age");
  }

  @Test
  default void aValueThatDoesNotFitIsShown() {
    Session session = customers();
    refused(
        session,
        () -> session.ensure(Models.CUSTOMER, customer("c1").put("age", "thirty")),
        "entity:Customer c1",
        "age is \"thirty\"");
  }

  @Test
  default void aNumberTooLargeForItsTypeIsRefused() {
    Session session = customers();
    refused(
        session,
        () ->
            session.ensure(
                Models.CUSTOMER, customer("c1").put("age", new BigInteger("9223372036854775808"))),
        "entity:Customer c1",
        "age is 9223372036854775808");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  default void whatIsNoNumberIsRefused(double price) {
    Session session = customers();
    refused(
        session,
        () -> session.ensure(new Product("p1", "n", price, "c")),
        "entity:Product p1",
        "price is " + price);
  }

  @Test
  default void halfOfASurrogatePairIsRefused() {
    Session session = customers();
    refused(
        session,
        () -> session.ensure(new Product("p1", "a\uD83D", 1, "c")),
        "entity:Product p1",
        "name");
  }

  @Test
  default void aRowOfTenMegabytesIsRefusedUnlessAllowed() {
    String name = "x".repeat(10_000_000);
    Session session = customers();
    refused(
        session,
        () -> session.ensure(new Product("p1", name, 1, "c")),
        "entity:Product p1",
        "10000",
        "limit of 8388608");

    Ledger ledger = fixture().open(LedgerFixture.options().withMaxRowBytes(16 << 20));
    try (Session large = ledger.session(RecordType.of(Product.class))) {
      large.ensure(new Product("p1", name, 1, "c"));
      assertThat(large.commit()).isPresent();
    }
    try (Session again = ledger.session(RecordType.of(Product.class))) {
      again.ensure(new Product("p1", name, 1, "c"));
      assertThat(again.commit()).isEmpty();
    }
    assertThat(LedgerFixture.changes(ledger, 2).get(0).after().fieldsJson()).contains(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "..", "../../meta/head", "", "a b", "é", ".hidden", "a#b"})
  default void aNameThatCantBePartOfAKeyIsNoType(String name) {
    assertThatThrownBy(() -> TypeId.entity(name))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining("\"" + name + "\"")
        .hasMessageContaining("letters");
    assertThatThrownBy(
            () ->
                DeclaredSchema.of(
                    CanonicalJson.object()
                        .put("entity", name)
                        .put("key", "id")
                        .set("fields", CanonicalJson.object().put("id", "string"))))
        .isInstanceOf(InvalidSchemaException.class);
  }

  @Test
  default void metadataCantMakeACommitLookLikeADrop() {
    try (Session session = fixture().init().session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("c1", 1));
      assertThatThrownBy(() -> session.commit(Map.of("operation", "schema_drop")))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContaining("operation=schema_drop");
      assertThat(session.queued()).isEqualTo(1);
      assertThat(session.commit(Map.of("operation", "other"))).isPresent();
    }
  }

  @Test
  default void aRecordWithNullWhereATextIsDueIsRefused() {
    Session session = customers();
    refused(
        session,
        () -> session.ensure(new Customer("c1", nothing(), 1, Optional.empty(), "t", true)),
        "entity:Customer c1",
        "name");
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what a user's mistake may be
  private static <T> T nothing() {
    return null;
  }
}
