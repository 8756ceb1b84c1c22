// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 1.2 of the specification: the programming model, in Java. */
class RecordTypeTest {

  @Entity
  record Person(@Key String id, String name) {}

  @Entity
  record Customer(
      @Key String id,
      String name,
      int age,
      @Indexed @Nullable String email,
      @Indexed String tier,
      boolean active) {}

  @Entity
  record Product(@Key String sku, String name, double price, @Indexed String category) {}

  @Relation(left = Customer.class, right = Product.class)
  record Subscription(
      @Left String customer,
      @Right String product,
      @Named("seat_count") long seats,
      @Named("started_at") String startedAt,
      boolean active) {}

  @Relation(left = Person.class, rightName = "Company")
  record Employment(
      @Left String person,
      @Right String company,
      @InstanceKey @Named("stint_id") @Nullable String stint,
      String role,
      @Named("started_at") String startedAt) {}

  @Relation(left = Person.class, rightName = "Company")
  record Stint(@Left String person, @Right long company, @InstanceKey String stint, String role) {}

  enum Colour {
    RED,
    GREEN
  }

  record Address(@Nullable String city, List<@Nullable Integer> numbers) {}

  @Entity(name = "Thing")
  record Everything(
      @Key int id,
      Long boxed,
      short small,
      byte tiny,
      float real,
      Double boxedReal,
      BigDecimal price,
      Instant at,
      Optional<Address> address,
      Map<String, List<Boolean>> flags,
      Colour colour,
      JsonNode any) {}

  @Test
  void theRecordsOfTheSpecificationHaveItsHashes() {
    assertThat(RecordType.of(Person.class).schema()).isEqualTo(Schemas.PERSON);
    assertThat(RecordType.of(Customer.class).schema()).isEqualTo(Schemas.CUSTOMER);
    assertThat(RecordType.of(Product.class).schema()).isEqualTo(Schemas.PRODUCT);
    assertThat(RecordType.of(Subscription.class).schema()).isEqualTo(Schemas.SUBSCRIPTION);
    assertThat(StoredSchema.of(RecordType.of(Customer.class).schema()).hash())
        .isEqualTo("1df836de97bfbf47f6aec6cedfddd1e6ae68c6339e81568eaef0ace27ed3ad34");
  }

  @Test
  void everyKindOfComponentIsStoredAndReadBack() {
    Everything value =
        new Everything(
            5,
            -1L,
            (short) 7,
            (byte) 8,
            0.1f,
            2.0,
            new BigDecimal("12.50"),
            Instant.parse("2026-02-10T12:34:56.789012Z"),
            Optional.of(new Address(null, Arrays.asList(1, null))),
            Map.of("a", List.of(true, false)),
            Colour.GREEN,
            TextNode.valueOf("x"));
    RecordType<Everything> type = RecordType.of(Everything.class);
    Fact fact = type.fact(value);
    assertThat(fact.type()).isEqualTo(TypeId.entity("Thing"));
    assertThat(fact.identity()).isEqualTo(new EntityKey("5"));
    assertThat(fact.fieldsJson())
        .isEqualTo(
            """
            {"address":{"city":null,"numbers":[1,null]},"any":"x",\
            "at":"2026-02-10T12:34:56.789012+00:00","boxed":-1,"boxedReal":2.0,"colour":"GREEN",\
            "flags":{"a":[true,false]},"id":5,"price":12.5,"real":0.1,"small":7,"tiny":8}""");
    Everything again = type.value(fact.identity(), fact.fieldsJson());
    assertThat(again)
        .usingRecursiveComparison()
        .withComparatorForType(BigDecimal::compareTo, BigDecimal.class)
        .isEqualTo(value);
    assertThat(type.fact(again)).isEqualTo(fact);
  }

  @Test
  void aNestedRecordIsATypeOfItsOwnName() {
    assertThat(words(Everything.class, "address"))
        .isEqualTo("Address{city: string?, numbers: [long?]}?");
    assertThat(words(Everything.class, "flags")).isEqualTo("{*: [boolean]}");
    assertThat(words(Everything.class, "any")).isEqualTo("any");
  }

  @Test
  void b7_theEndsAndTheInstanceKeyOfARelationAreItsIdentity() {
    Stint stint = new Stint("p1", 12, "stint-1", "eng");
    RecordType<Stint> type = RecordType.of(Stint.class);
    Fact fact = type.fact(stint);
    assertThat(fact.identity()).isEqualTo(new RelationKey("p1", "12", "stint-1"));
    assertThat(fact.fieldsJson()).isEqualTo("{\"role\":\"eng\"}");
    assertThat(type.value(fact.identity(), fact.fieldsJson())).isEqualTo(stint);
    assertThat(RecordType.factOf(new Subscription("c1", "p1", 5, "2020", true)).identity())
        .isEqualTo(new RelationKey("c1", "p1", ""));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "  "})
  @SuppressWarnings("NullAway") // what callers that aren't checked for null may do
  void b8_anInstanceKeyThatIsBlankIsRefused(@Nullable String instance) {
    assertThatThrownBy(() -> RecordType.factOf(new Stint("p1", 1, instance, "eng")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("the instance key stint is blank");
  }

  @Test
  void anInstanceKeyIsNotOptional() {
    assertThatThrownBy(() -> RecordType.of(Employment.class))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining("relation:Employment has the instance key stint_id of type string?");
  }

  @Test
  void b15_whatIsNoRecordIsRefused() {
    assertThatThrownBy(() -> RecordType.factOf("c1"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("a String can't be asserted: c1; give a record");
    assertThatThrownBy(() -> RecordType.factOf(123))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("an Integer can't be asserted: 123");
    assertThatThrownBy(() -> RecordType.factOf(new Address(null, List.of())))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining("Address declares no type; annotate it as @Entity");
  }

  @Test
  @SuppressWarnings("NullAway") // what callers that aren't checked for null may do
  void aValueThatDoesNotFitIsNamed() {
    assertThatThrownBy(() -> RecordType.factOf(new Product("s", "n", Double.NaN, "c")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("entity:Product s: price is NaN; it is a double");
    assertThatThrownBy(() -> RecordType.factOf(new Person("p1", null)))
        .hasMessageStartingWith("entity:Person p1: name is null; give a string");
    assertThatThrownBy(() -> RecordType.factOf(new Person(null, "Ann")))
        .hasMessageStartingWith("entity:Person: the key id is missing");
  }

  @Test
  void aRowThatTheRecordCannotHoldIsRefused() {
    RecordType<Customer> type = RecordType.of(Customer.class);
    assertThatThrownBy(
            () ->
                type.value(
                    new EntityKey("c1"),
                    "{\"active\":true,\"age\":3000000000,\"id\":\"c1\",\"name\":\"A\",\"tier\":\"x\"}"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("entity:Customer c1: the row can't be read as Customer")
        .hasMessageContaining("overflow");
    assertThatThrownBy(() -> type.value(new EntityKey("c1"), "{\"id\":\"c1\"}"))
        .hasMessageContaining("there is no age");
  }

  @Entity
  record NoKey(String id) {}

  @Entity
  record TwoKeys(@Key String a, @Key String b) {}

  @Entity
  record OptionalKey(@Key @Nullable String a) {}

  @Entity
  record EntityWithInstance(@Key String a, @InstanceKey String b) {}

  @Entity
  record EntityWithEnd(@Key String a, @Left String b) {}

  @Relation(leftName = "A", rightName = "B")
  record RelationWithKey(@Left String a, @Right String b, @Key String c) {}

  @Relation(leftName = "A", rightName = "B")
  record NoRight(@Left String a, String b) {}

  @Relation(leftName = "A")
  record NoRightType(@Left String a, @Right String b) {}

  @Relation(left = Person.class, leftName = "A", rightName = "B")
  record TwoLeftTypes(@Left String a, @Right String b) {}

  @Relation(left = Address.class, rightName = "B")
  record LeftIsNoEntity(@Left String a, @Right String b) {}

  @Entity(name = "a/b")
  record BadName(@Key String id) {}

  @Entity
  record BadType(@Key String id, char letter) {}

  @Entity
  record BadMap(@Key String id, Map<Integer, String> map) {}

  @Entity
  record Tree(@Key String id, List<Node> children) {}

  record Node(List<Node> children) {}

  @Entity
  record TwiceOptional(@Key String id, Optional<Optional<String>> name) {}

  @Entity
  record SameName(@Key String id, @Named("id") String other) {}

  @Entity
  record MarkedInside(@Key String id, Person person) {}

  @Test
  void theRulesOfTypesAreCheckedWhenARecordIsDeclared() {
    refused(NoKey.class, "entity:NoKey", "has no @Key");
    refused(TwoKeys.class, "entity:TwoKeys", "several components with @Key: a, b");
    refused(OptionalKey.class, "entity:OptionalKey has the key a of type string?", "not optional");
    refused(EntityWithInstance.class, "has @InstanceKey on b", "an entity has no instance key");
    refused(EntityWithEnd.class, "has @Left on b", "only relations have ends");
    refused(RelationWithKey.class, "relation:RelationWithKey", "has @Key on c");
    refused(NoRight.class, "relation:NoRight", "has no @Right");
    refused(NoRightType.class, "doesn't say its right end", "rightName");
    refused(TwoLeftTypes.class, "names its left end twice", "leftName");
    refused(LeftIsNoEntity.class, "at its left end", "is no @Entity");
    refused(BadName.class, "\"a/b\" can't be the name of a type", "take 1 to 128");
    refused(BadType.class, "BadType.letter is of char", "allowed are String, long");
    refused(BadMap.class, "BadMap.map is of java.util.Map<java.lang.Integer", "Map<String, ..>");
    refused(Tree.class, "Node.children is of Node", "can't contain itself");
    refused(TwiceOptional.class, "TwiceOptional.name is optional twice", "say it once");
    refused(MarkedInside.class, "MarkedInside.person is of Person", "which has @Key");
    refused(SameName.class, "SameName.other is the second field named id", "@Named");
  }

  private static void refused(Class<? extends Record> type, String problem, String more) {
    assertThatThrownBy(() -> RecordType.of(type))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining(more);
  }

  private static String words(Class<? extends Record> type, String field) {
    Field found = RecordType.of(type).schema().fields().get(field);
    assertThat(found).isNotNull();
    return TypeFormatter.format(found.type());
  }
}
